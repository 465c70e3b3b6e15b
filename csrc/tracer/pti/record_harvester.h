// Makes PTI collect what the device has finished although the application does not wait for it.
#pragma once

#include <level_zero/ze_api.h>

#include "device/level_zero.h"

namespace proton_xpu {

/// PTI looks at finished operations only inside the application's own waiting calls, so a flush
/// alone would miss what nobody waited for. This waits on an empty command list of its own, which
/// has the same effect. Used by one thread at a time.
class RecordHarvester {
 public:
  explicit RecordHarvester(const LevelZeroFunctions& level_zero) : level_zero_(level_zero) {}
  ~RecordHarvester();
  RecordHarvester(const RecordHarvester&) = delete;
  RecordHarvester& operator=(const RecordHarvester&) = delete;

  /// Returns at once; false if the driver does not let us.
  bool harvest() noexcept;

 private:
  bool create() noexcept;

  const LevelZeroFunctions& level_zero_;
  ze_context_handle_t context_ = nullptr;
  ze_command_list_handle_t command_list_ = nullptr;
};

}  // namespace proton_xpu
