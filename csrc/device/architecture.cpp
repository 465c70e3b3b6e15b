#include "device/architecture.h"

namespace proton_xpu {
namespace {

// Source of both tables: intel/compute-runtime, commit e37c60b (platforms.h for IP versions,
// devices_base.inl for PCI ids).
struct ReleaseName {
  std::uint32_t major_number;
  std::uint32_t first_minor;
  std::uint32_t last_minor;
  const char* name;
};

constexpr ReleaseName kReleases[] = {
    {12, 55, 57, "dg2"}, {12, 60, 61, "pvc"}, {12, 70, 71, "mtl"}, {12, 74, 74, "arl"},
    {20, 1, 2, "bmg"},   {20, 4, 4, "lnl"},   {30, 0, 1, "ptl"},   {35, 11, 11, "cri"},
};

struct DeviceIdRange {
  std::uint32_t first;
  std::uint32_t last;
  const char* name;
};

constexpr DeviceIdRange kDeviceIds[] = {
    {0x0B69, 0x0B6E, "pvc"}, {0x0BD4, 0x0BDB, "pvc"}, {0x56A0, 0x56A6, "dg2"},
    {0x56C0, 0x56C2, "dg2"}, {0x6420, 0x6420, "lnl"}, {0x64A0, 0x64A0, "lnl"},
    {0x64B0, 0x64B0, "lnl"}, {0x7D40, 0x7D40, "mtl"}, {0x7D45, 0x7D45, "mtl"},
    {0x7D55, 0x7D55, "mtl"}, {0x7DD5, 0x7DD5, "mtl"}, {0x7D41, 0x7D41, "arl"},
    {0x7D51, 0x7D51, "arl"}, {0x7D67, 0x7D67, "arl"}, {0x7DD1, 0x7DD1, "arl"},
    {0xB080, 0xB083, "ptl"}, {0xE209, 0xE20C, "bmg"}, {0xE211, 0xE212, "bmg"},
    {0xE220, 0xE223, "bmg"},
};

struct IpVersion {
  std::uint32_t major_number;
  std::uint32_t minor_number;
  std::uint32_t revision;
};

constexpr IpVersion unpack(std::uint32_t ip_version) {
  return {ip_version >> 22, (ip_version >> 14) & 0xFF, ip_version & 0x3F};
}

}  // namespace

std::string format_ip_version(std::uint32_t ip_version) {
  const IpVersion ip = unpack(ip_version);
  return std::to_string(ip.major_number) + "." + std::to_string(ip.minor_number) + "." +
         std::to_string(ip.revision);
}

std::string architecture_name(std::uint32_t ip_version, std::uint32_t device_id) {
  const IpVersion ip = unpack(ip_version);
  for (const ReleaseName& release : kReleases) {
    if (ip.major_number == release.major_number && ip.minor_number >= release.first_minor &&
        ip.minor_number <= release.last_minor) {
      return release.name;
    }
  }
  for (const DeviceIdRange& range : kDeviceIds) {
    if (device_id >= range.first && device_id <= range.last) return range.name;
  }
  return ip_version == 0 ? "unknown" : "unknown-" + format_ip_version(ip_version);
}

}  // namespace proton_xpu
