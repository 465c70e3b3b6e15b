// The Level Zero loader, opened at run time so that nothing here needs it to be installed.
#pragma once

#include <level_zero/loader/ze_loader.h>
#include <level_zero/ze_api.h>

#include <string>

namespace proton_xpu {

struct LevelZeroVersion {
  int major_number = 0;
  int minor_number = 0;
  int patch_number = 0;

  friend bool operator<(const LevelZeroVersion& a, const LevelZeroVersion& b) {
    if (a.major_number != b.major_number) return a.major_number < b.major_number;
    if (a.minor_number != b.minor_number) return a.minor_number < b.minor_number;
    return a.patch_number < b.patch_number;
  }
};

std::string to_string(const LevelZeroVersion& version);

/// Functions of the loader that this project calls. One that an old loader lacks is null; those
/// without a note are always there.
struct LevelZeroFunctions {
  decltype(&zeInit) init = nullptr;
  decltype(&zeDriverGet) driver_get = nullptr;
  decltype(&zeDriverGetProperties) driver_get_properties = nullptr;
  decltype(&zeDriverGetApiVersion) driver_get_api_version = nullptr;
  decltype(&zeDeviceGet) device_get = nullptr;
  decltype(&zeDeviceGetSubDevices) device_get_sub_devices = nullptr;
  decltype(&zeDeviceGetProperties) device_get_properties = nullptr;
  decltype(&zeDeviceGetMemoryProperties) device_get_memory_properties = nullptr;
  decltype(&zeDevicePciGetPropertiesExt) device_pci_get_properties = nullptr;  ///< May be null.
  decltype(&zeContextCreate) context_create = nullptr;
  decltype(&zeContextDestroy) context_destroy = nullptr;
  decltype(&zeCommandListCreateImmediate) command_list_create_immediate = nullptr;
  decltype(&zeCommandListDestroy) command_list_destroy = nullptr;
  decltype(&zeCommandListHostSynchronize) command_list_host_synchronize =
      nullptr;  ///< May be null.
};

/// The opened loader.
class LevelZero : public LevelZeroFunctions {
 public:
  /// Opens the loader (PROTON_XPU_LEVEL_ZERO_LOADER, else one that is already in the process, else
  /// the system's) and starts the driver, once. The result lives as long as the process.
  /// Throws std::runtime_error with one sentence if there is no loader, no driver, or two loaders.
  /// A later call tries again.
  static const LevelZero& open();

  const std::string& path() const { return path_; }
  const LevelZeroVersion& version() const { return version_; }

 private:
  LevelZero() = default;
  void resolve(void* library);

  std::string path_;
  LevelZeroVersion version_;
};

}  // namespace proton_xpu
