// One thread's way of launching without end: an immediate list, and an event for each launch
// between two waits. Launches without an event of their own would grow the process: PTI 1.2 keeps
// an event for each of them for good.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <vector>

#include "support/level_zero_app.h"

namespace proton_xpu::testing {

class LaunchLane {
 public:
  static constexpr int kLaunchesPerWait = 250;

  explicit LaunchLane(LevelZeroApp& app)
      : app_(&app), list_(app.make_immediate_list()), events_(app.make_events(kLaunchesPerWait)) {}

  /// Launches kernel 0 kLaunchesPerWait times, and waits.
  void launch() const {
    for (ze_event_handle_t event : events_) app_->launch(list_, 0, event);
    app_->wait(list_);
    for (ze_event_handle_t event : events_) app_->functions().EventHostReset(event);
  }

 private:
  LevelZeroApp* app_;
  ze_command_list_handle_t list_;
  std::vector<ze_event_handle_t> events_;
};

/// Physical memory of the process; 0 if it cannot be read.
inline std::size_t resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long total = 0;
  unsigned long resident = 0;
  const int fields = std::fscanf(file, "%lu %lu", &total, &resident);
  std::fclose(file);
  return fields == 2 ? resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace proton_xpu::testing
