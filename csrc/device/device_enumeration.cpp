#include "device/device_enumeration.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>

#include "device/architecture.h"

namespace proton_xpu {
namespace {

constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;

/// Above this a timer resolution is cycles a second, up to it nanoseconds (80, 52 or 83 are seen).
constexpr std::uint64_t kLargestResolutionNs = 100'000;

struct DriverContext {
  const LevelZeroFunctions& level_zero;
  std::string version;
  bool has_properties_1_2;
};

std::vector<ze_driver_handle_t> list_drivers(const LevelZeroFunctions& level_zero) {
  std::uint32_t count = 0;
  if (level_zero.driver_get(&count, nullptr) != ZE_RESULT_SUCCESS) {
    throw std::runtime_error("Level Zero does not list its drivers; reinstall the GPU driver.");
  }
  std::vector<ze_driver_handle_t> drivers(count);
  if (count != 0 && level_zero.driver_get(&count, drivers.data()) != ZE_RESULT_SUCCESS) {
    throw std::runtime_error("Level Zero does not list its drivers; reinstall the GPU driver.");
  }
  return drivers;
}

std::vector<ze_device_handle_t> list_devices(const LevelZeroFunctions& level_zero,
                                             ze_driver_handle_t driver) {
  std::uint32_t count = 0;
  if (level_zero.device_get(driver, &count, nullptr) != ZE_RESULT_SUCCESS) return {};
  std::vector<ze_device_handle_t> devices(count);
  if (count != 0 && level_zero.device_get(driver, &count, devices.data()) != ZE_RESULT_SUCCESS) {
    throw std::runtime_error(
        "A Level Zero driver does not list its devices; check the permissions of /dev/dri.");
  }
  devices.resize(count);
  return devices;
}

std::vector<ze_device_handle_t> list_sub_devices(const LevelZeroFunctions& level_zero,
                                                 ze_device_handle_t device) {
  std::uint32_t count = 0;
  if (level_zero.device_get_sub_devices(device, &count, nullptr) != ZE_RESULT_SUCCESS) return {};
  std::vector<ze_device_handle_t> sub_devices(count);
  if (count != 0 &&
      level_zero.device_get_sub_devices(device, &count, sub_devices.data()) != ZE_RESULT_SUCCESS) {
    return {};
  }
  sub_devices.resize(count);
  return sub_devices;
}

void read_memory(const LevelZeroFunctions& level_zero, ze_device_handle_t device,
                 DeviceInfo& info) {
  std::uint32_t count = 0;
  if (level_zero.device_get_memory_properties(device, &count, nullptr) != ZE_RESULT_SUCCESS) return;
  std::vector<ze_device_memory_properties_t> memories(count);
  for (ze_device_memory_properties_t& memory : memories) {
    memory = {};
    memory.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES;
  }
  if (count == 0 || level_zero.device_get_memory_properties(device, &count, memories.data()) !=
                        ZE_RESULT_SUCCESS) {
    return;
  }
  const auto largest =
      std::max_element(memories.begin(), memories.end(),
                       [](const auto& a, const auto& b) { return a.totalSize < b.totalSize; });
  info.memory_clock_khz = std::uint64_t{largest->maxClockRate} * 1000;
  info.memory_bus_bits = largest->maxBusWidth;
  for (const ze_device_memory_properties_t& memory : memories) {
    info.memory_bytes += memory.totalSize;
  }
}

void read_pci_address(const LevelZeroFunctions& level_zero, ze_device_handle_t device,
                      DeviceInfo& info) {
  if (level_zero.device_pci_get_properties == nullptr) return;
  ze_pci_ext_properties_t pci{};
  pci.stype = ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES;
  if (level_zero.device_pci_get_properties(device, &pci) != ZE_RESULT_SUCCESS) return;
  info.pci =
      PciAddress{pci.address.domain, pci.address.bus, pci.address.device, pci.address.function};
}

/// Nothing if the handle is not a GPU or the driver does not describe it.
std::optional<DeviceInfo> describe(const DriverContext& driver, ze_device_handle_t device) {
  ze_device_ip_version_ext_t ip_version{};
  ip_version.stype = ZE_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT;
  ze_device_properties_t properties{};
  properties.stype = driver.has_properties_1_2 ? ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2
                                               : ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  properties.pNext = &ip_version;
  if (driver.level_zero.device_get_properties(device, &properties) != ZE_RESULT_SUCCESS) return {};
  if (properties.type != ZE_DEVICE_TYPE_GPU) return {};

  DeviceInfo info;
  info.known = true;
  info.name.assign(properties.name, strnlen(properties.name, sizeof properties.name));
  info.integrated = (properties.flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED) != 0;
  info.vendor_id = properties.vendorId;
  info.device_id = properties.deviceId;
  info.ip_version = ip_version.ipVersion;
  info.arch = architecture_name(info.ip_version, info.device_id);
  static_assert(sizeof properties.uuid.id == sizeof(DeviceUuid));
  std::memcpy(info.uuid.data(), properties.uuid.id, sizeof(DeviceUuid));
  info.driver_version = driver.version;
  info.clock_khz = std::uint64_t{properties.coreClockRate} * 1000;
  info.slice_count = properties.numSlices;
  info.subslices_per_slice = properties.numSubslicesPerSlice;
  info.eus_per_subslice = properties.numEUsPerSubslice;
  info.threads_per_eu = properties.numThreadsPerEU;
  info.eu_simd_width = properties.physicalEUSimdWidth;
  info.xe_core_count = info.slice_count * info.subslices_per_slice;
  info.eu_count = info.xe_core_count * info.eus_per_subslice;
  info.timer_hz = timer_frequency(properties.timerResolution);
  info.timestamp_valid_bits = properties.timestampValidBits;
  info.kernel_timestamp_valid_bits = properties.kernelTimestampValidBits;
  read_memory(driver.level_zero, device, info);
  read_pci_address(driver.level_zero, device, info);
  return info;
}

DriverContext read_driver(const LevelZeroFunctions& level_zero, ze_driver_handle_t driver) {
  DriverContext context{level_zero, "", false};
  ze_driver_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES;
  if (level_zero.driver_get_properties(driver, &properties) == ZE_RESULT_SUCCESS) {
    context.version = format_driver_version(properties.driverVersion);
  }
  ze_api_version_t api = ZE_API_VERSION_1_0;
  context.has_properties_1_2 =
      level_zero.driver_get_api_version(driver, &api) == ZE_RESULT_SUCCESS &&
      api >= ZE_API_VERSION_1_2;
  return context;
}

struct SubDevice {
  DeviceInfo info;
  ze_device_handle_t handle;
};

std::vector<SubDevice> describe_sub_devices(const DriverContext& driver, ze_device_handle_t root,
                                            std::uint32_t root_index) {
  std::vector<SubDevice> described;
  std::uint32_t tile = 0;
  for (ze_device_handle_t handle : list_sub_devices(driver.level_zero, root)) {
    if (std::optional<DeviceInfo> info = describe(driver, handle)) {
      info->parent = root_index;
      info->tile = tile;
      described.push_back({std::move(*info), handle});
    }
    ++tile;
  }
  return described;
}

}  // namespace

std::uint64_t timer_frequency(std::uint64_t timer_resolution) {
  if (timer_resolution == 0) return 0;
  return timer_resolution <= kLargestResolutionNs ? kNanosecondsPerSecond / timer_resolution
                                                  : timer_resolution;
}

std::string format_driver_version(std::uint32_t driver_version) {
  return std::to_string(driver_version >> 24) + "." +
         std::to_string((driver_version >> 16) & 0xFF) + "." +
         std::to_string(driver_version & 0xFFFF);
}

EnumeratedDevices enumerate_devices(const LevelZeroFunctions& level_zero) {
  EnumeratedDevices found;
  std::vector<SubDevice> sub_devices;
  for (ze_driver_handle_t driver_handle : list_drivers(level_zero)) {
    const DriverContext driver = read_driver(level_zero, driver_handle);
    for (ze_device_handle_t handle : list_devices(level_zero, driver_handle)) {
      std::optional<DeviceInfo> info = describe(driver, handle);
      if (!info) continue;
      const auto index = static_cast<std::uint32_t>(found.infos.size());
      std::vector<SubDevice> tiles = describe_sub_devices(driver, handle, index);
      info->tile_count = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(tiles.size()));
      found.infos.push_back(std::move(*info));
      found.handles.push_back(handle);
      std::move(tiles.begin(), tiles.end(), std::back_inserter(sub_devices));
    }
  }
  if (found.infos.empty()) {
    throw std::runtime_error(
        "Level Zero knows no GPU; install Intel's GPU driver and join the group that owns "
        "/dev/dri/renderD*, or use the software device with PROTON_XPU_DEVICE=soft.");
  }
  for (SubDevice& sub_device : sub_devices) {
    found.infos.push_back(std::move(sub_device.info));
    found.handles.push_back(sub_device.handle);
  }
  return found;
}

}  // namespace proton_xpu
