// What the software device says it is: read from a JSON file, so that another device needs no code.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace softgpu {

struct QueueGroup {
  bool compute = false;
  bool copy = false;
  std::uint32_t queues = 1;
};

struct DeviceProfile {
  std::string name;
  std::uint32_t vendor_id = 0;
  std::uint32_t device_id = 0;
  std::uint32_t ip_version = 0;      ///< major << 22 | minor << 14 | revision.
  std::uint32_t api_version = 0;     ///< ZE_MAKE_VERSION(major, minor).
  std::uint32_t driver_version = 0;  ///< major << 24 | minor << 16 | build.

  std::uint32_t devices = 1;
  std::uint32_t tiles = 1;   ///< More than one: each device has so many sub-devices.
  std::uint32_t slices = 0;  ///< Per tile.
  std::uint32_t subslices_per_slice = 0;
  std::uint32_t eus_per_subslice = 0;
  std::uint32_t threads_per_eu = 0;
  std::uint32_t eu_simd_width = 0;
  std::uint32_t core_clock_mhz = 0;
  bool integrated = false;
  std::vector<QueueGroup> queue_groups;

  std::uint64_t timer_hz = 0;
  std::uint32_t timestamp_valid_bits = 0;
  std::uint32_t kernel_timestamp_valid_bits = 0;

  std::string memory_name;
  std::uint64_t memory_bytes = 0;  ///< Per tile.
  std::uint64_t max_allocation_bytes = 0;
  std::uint32_t memory_clock_mhz = 0;
  std::uint32_t memory_bus_width = 0;  ///< Bits.
  std::uint64_t cache_bytes = 0;

  std::uint32_t max_group_size = 0;
  std::vector<std::uint32_t> sub_group_sizes;
  std::uint32_t shared_local_memory_bytes = 0;
  bool fp64 = false;
  std::array<std::uint32_t, 4> pci{};  ///< Domain, bus of the first device, device, function.

  /// Reads a profile. Throws std::runtime_error with one sentence that names file and fault.
  static DeviceProfile load(const std::string& path);

  /// PROTON_XPU_SOFTGPU_PROFILE, or profiles/max1550.json next to this library.
  static std::string default_path();
};

}  // namespace softgpu
