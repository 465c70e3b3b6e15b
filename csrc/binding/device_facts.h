// Devices as profiles and Python show them.
#pragma once

#include "data/device_facts.h"
#include "device/device_info.h"

namespace proton_xpu {

/// Proton's five keys, and what else is known of the device.
DeviceFacts device_facts(const DeviceInfo& device);

}  // namespace proton_xpu
