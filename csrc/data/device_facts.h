// What a profile says of a device, from wherever the facts come.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>

namespace proton_xpu {

using DeviceFact = std::variant<std::uint64_t, double, std::string, bool>;

/// By key, in alphabetical order. Proton's own are `arch`, `bus_width` (bits), `clock_rate` (kHz),
/// `memory_clock_rate` (kHz) and `num_sms`.
using DeviceFacts = std::map<std::string, DeviceFact>;

/// The facts of a device by its index in activities.
using DeviceFactsProvider = std::function<DeviceFacts(std::uint32_t device)>;

}  // namespace proton_xpu
