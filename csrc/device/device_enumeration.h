// Reads the devices and sub-devices of all Level Zero drivers.
#pragma once

#include <level_zero/ze_api.h>

#include <cstdint>
#include <string>
#include <vector>

#include "device/device_info.h"
#include "device/level_zero.h"

namespace proton_xpu {

struct EnumeratedDevices {
  std::vector<DeviceInfo> infos;            ///< Root devices of all drivers, then all sub-devices.
  std::vector<ze_device_handle_t> handles;  ///< Same order.
};

/// Only GPUs are taken. Throws std::runtime_error if a driver refuses to list its devices or if
/// there is none.
EnumeratedDevices enumerate_devices(const LevelZeroFunctions& level_zero);

/// Ticks a second from the driver's timer resolution, 0 if it is 0. Drivers give cycles a second
/// with the 1.2 structure and nanoseconds with the older one, and some give nanoseconds with both,
/// so the value decides: no GPU timer is slower than 100 kHz or has ticks of more than 100 us.
std::uint64_t timer_frequency(std::uint64_t timer_resolution);

/// "major.minor.build" of a packed driver version.
std::string format_driver_version(std::uint32_t driver_version);

}  // namespace proton_xpu
