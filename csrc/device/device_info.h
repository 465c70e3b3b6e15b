// What is known of one device, as plain data. Filled from Level Zero, read by everything else.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace proton_xpu {

using DeviceUuid = std::array<std::uint8_t, 16>;

/// Place of a device on the PCI bus; all tiles of a card share it.
struct PciAddress {
  std::uint32_t domain = 0;
  std::uint32_t bus = 0;
  std::uint32_t device = 0;
  std::uint32_t function = 0;

  friend bool operator==(const PciAddress& a, const PciAddress& b) {
    return a.domain == b.domain && a.bus == b.bus && a.device == b.device &&
           a.function == b.function;
  }
};

/// One device or sub-device (tile). A value of 0 means that the driver does not tell.
struct DeviceInfo {
  std::string name = "unknown";
  std::string arch = "unknown";  ///< Short name such as "pvc"; see architecture.h.
  bool known = false;            ///< False for an entry made for a device that was not enumerated.
  bool integrated = false;       ///< Shares memory with the CPU.

  std::uint32_t vendor_id = 0;
  std::uint32_t device_id = 0;  ///< PCI device id.
  std::uint32_t ip_version =
      0;  ///< Packed as Level Zero does: major << 22 | minor << 14 | revision.
  DeviceUuid uuid{};
  std::optional<PciAddress> pci;
  std::string driver_version;  ///< "major.minor.build".

  std::optional<std::uint32_t> parent;  ///< Index of the root device; sub-devices only.
  std::uint32_t tile = 0;               ///< Number of the sub-device within its root device.
  std::uint32_t tile_count = 1;         ///< Tiles that this device spans.

  std::uint64_t clock_khz = 0;         ///< Highest core clock.
  std::uint64_t memory_clock_khz = 0;  ///< As the driver says; not always a data rate.
  std::uint32_t memory_bus_bits = 0;
  std::uint64_t memory_bytes = 0;

  std::uint32_t eu_count = 0;
  std::uint32_t xe_core_count = 0;  ///< `num_sms` in the file format. One sub-slice is one Xe-core.
  std::uint32_t slice_count = 0;
  std::uint32_t subslices_per_slice = 0;
  std::uint32_t eus_per_subslice = 0;
  std::uint32_t threads_per_eu = 0;
  std::uint32_t eu_simd_width = 0;

  std::uint64_t timer_hz = 0;              ///< Ticks a second of device timestamps.
  std::uint32_t timestamp_valid_bits = 0;  ///< Of the global timestamp.
  std::uint32_t kernel_timestamp_valid_bits = 0;
};

}  // namespace proton_xpu
