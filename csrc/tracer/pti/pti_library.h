// libpti_view, opened at run time: where it is found, which versions are taken, and its functions.
#pragma once

#include <cstdint>
#include <string>

#include "tracer/pti/pti_abi.h"

namespace proton_xpu {

/// The library and the functions of it that this project calls. All but those with a note are
/// there in every version that open() accepts.
class PtiLibrary {
 public:
  /// Opens the library once per process: the file named by PROTON_XPU_PTI_LIBRARY, else
  /// `handed_path`, else what the dynamic loader finds. Calls nothing of it but its version.
  /// Throws std::runtime_error with one sentence if it is missing, too old or of an unknown ABI.
  static PtiLibrary& open(const std::string& handed_path);

  /// Sets the clock and the buffer callbacks, which another user of PTI in this process may have
  /// replaced since. The first time, PTI starts up and takes its settings from the environment; the
  /// Level Zero driver must have been started then, PTI aborts the process otherwise.
  /// Throws std::runtime_error.
  void initialize(pti::GetTimestamp clock, pti::BufferRequested requested,
                  pti::BufferCompleted completed);

  /// Throws std::runtime_error with the call's name, the result and the place in the source unless
  /// `result` is a success.
  void check(pti::Result result, const char* call, const char* file = __builtin_FILE(),
             int line = __builtin_LINE()) const;

  const std::string& path() const { return path_; }
  const pti::Version& version() const { return version_; }
  std::string version_string() const;

  /// True if the records are the *V2 structures, which name the device by its handle.
  bool has_device_handles() const { return version_.major_number >= 1; }

  /// True if PTI calls back at the exit of a call only where the enter is asked for as well.
  bool couples_exit_to_enter() const { return version_.major_number == 0; }

  /// One sentence on the collection mode in use. Empty before initialize().
  const std::string& collection_mode_note() const { return collection_mode_note_; }

  /// Number of a Level Zero function in PTI's callbacks, 0 if it does not know the function.
  std::uint32_t find_api_id(const char* function_name) const;

  pti::Result (*view_set_callbacks)(pti::BufferRequested, pti::BufferCompleted) = nullptr;
  pti::Result (*view_set_timestamp_callback)(pti::GetTimestamp) = nullptr;
  pti::Result (*view_enable)(pti::ViewKind) = nullptr;
  pti::Result (*view_disable)(pti::ViewKind) = nullptr;
  pti::Result (*flush_all_views)() = nullptr;
  pti::Result (*view_get_next_record)(unsigned char*, std::size_t, pti::RecordBase**) = nullptr;
  pti::Result (*view_get_api_id_name)(std::uint32_t, std::uint32_t, const char**) = nullptr;
  pti::Result (*callback_subscribe)(pti::SubscriberHandle*, pti::OperationCallback,
                                    void*) = nullptr;
  pti::Result (*callback_unsubscribe)(pti::SubscriberHandle) = nullptr;
  pti::Result (*callback_enable_domain)(pti::SubscriberHandle, pti::CallbackDomain, std::uint32_t,
                                        std::uint32_t) = nullptr;
  const char* (*result_to_string)(pti::Result) = nullptr;  ///< May be null.

 private:
  PtiLibrary() = default;
  void resolve(void* library);

  /// Sets what PTI reads when it starts up; the caller restores the environment.
  void set_up_environment();

  std::string path_;
  pti::Version version_{};
  std::string collection_mode_note_;
};

}  // namespace proton_xpu
