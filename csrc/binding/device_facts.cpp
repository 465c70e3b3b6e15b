#include "binding/device_facts.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

namespace proton_xpu {
namespace {

std::string uuid_text(const DeviceUuid& uuid) {
  std::string text;
  for (const std::uint8_t byte : uuid) {
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02x", byte);
    text += digits;
  }
  return text;
}

std::string pci_text(const PciAddress& pci) {
  char text[32];
  std::snprintf(text, sizeof(text), "%04x:%02x:%02x.%x", pci.domain, pci.bus, pci.device,
                pci.function);
  return text;
}

std::uint64_t u64(std::uint64_t value) { return value; }

}  // namespace

DeviceFacts device_facts(const DeviceInfo& device) {
  DeviceFacts facts = {
      {"arch", device.arch},
      {"bus_width", u64(device.memory_bus_bits)},
      {"clock_rate", u64(device.clock_khz)},
      {"memory_clock_rate", u64(device.memory_clock_khz)},
      {"num_sms", u64(device.xe_core_count)},
      {"name", device.name},
      {"driver_version", device.driver_version},
      {"vendor_id", u64(device.vendor_id)},
      {"pci_device_id", u64(device.device_id)},
      {"ip_version", u64(device.ip_version)},
      {"uuid", uuid_text(device.uuid)},
      {"integrated", device.integrated},
      {"tile", u64(device.tile)},
      {"tile_count", u64(device.tile_count)},
      {"memory_bytes", u64(device.memory_bytes)},
      {"eu_count", u64(device.eu_count)},
      {"xe_core_count", u64(device.xe_core_count)},
      {"slice_count", u64(device.slice_count)},
      {"subslices_per_slice", u64(device.subslices_per_slice)},
      {"eus_per_subslice", u64(device.eus_per_subslice)},
      {"threads_per_eu", u64(device.threads_per_eu)},
      {"eu_simd_width", u64(device.eu_simd_width)},
      {"timer_hz", u64(device.timer_hz)},
      {"timestamp_valid_bits", u64(device.timestamp_valid_bits)},
      {"kernel_timestamp_valid_bits", u64(device.kernel_timestamp_valid_bits)},
  };
  if (device.parent) {
    facts["parent"] = u64(*device.parent);
  }
  if (device.pci) {
    facts["pci_address"] = pci_text(*device.pci);
  }
  return facts;
}

}  // namespace proton_xpu
