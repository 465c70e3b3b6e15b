// Short architecture names of Intel GPUs, as Triton and the profile files use them.
#pragma once

#include <cstdint>
#include <string>

namespace proton_xpu {

/// "major.minor.revision" of a packed IP version.
std::string format_ip_version(std::uint32_t ip_version);

/// Architecture by IP version, then by PCI device id, then "unknown-<ip version>", and "unknown" if
/// there is no IP version either.
std::string architecture_name(std::uint32_t ip_version, std::uint32_t device_id);

}  // namespace proton_xpu
