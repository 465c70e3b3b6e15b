#include <algorithm>
#include <cstdint>

#include "softgpu/api/arguments.h"
#include "softgpu/api/entry_points.h"
#include "softgpu/driver.h"

namespace softgpu::entry {
namespace {

constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;

ze_result_t return_devices(const std::vector<std::shared_ptr<Device>>& devices,
                           std::uint32_t* count, ze_device_handle_t* out) {
  return return_list(devices.size(), count, out, [&](ze_device_handle_t& device, std::uint32_t i) {
    device = handle_of<ze_device_handle_t>(*devices[i]);
  });
}

void fill_uuid(const Device& device, ze_device_uuid_t& uuid) {
  const DeviceProfile& profile = device.profile();
  std::fill(std::begin(uuid.id), std::end(uuid.id), std::uint8_t{0});
  uuid.id[0] = static_cast<std::uint8_t>(profile.vendor_id);
  uuid.id[1] = static_cast<std::uint8_t>(profile.vendor_id >> 8);
  uuid.id[2] = static_cast<std::uint8_t>(profile.device_id);
  uuid.id[3] = static_cast<std::uint8_t>(profile.device_id >> 8);
  uuid.id[8] = static_cast<std::uint8_t>(profile.pci[1] + device.index());
  uuid.id[15] = static_cast<std::uint8_t>(device.tile() + 1);
}

}  // namespace

ze_result_t zeDeviceGet(ze_driver_handle_t driver_handle, std::uint32_t* count,
                        ze_device_handle_t* devices) {
  SOFTGPU_FIND(Driver, driver, driver_handle);
  return return_devices(driver->devices(), count, devices);
}

ze_result_t zeDeviceGetSubDevices(ze_device_handle_t device_handle, std::uint32_t* count,
                                  ze_device_handle_t* sub_devices) {
  SOFTGPU_FIND(Device, device, device_handle);
  return return_devices(device->sub_devices(), count, sub_devices);
}

ze_result_t zeDeviceGetRootDevice(ze_device_handle_t device_handle, ze_device_handle_t* root) {
  SOFTGPU_FIND(Device, device, device_handle);
  SOFTGPU_REQUIRE_POINTER(root);
  *root = device->root() != nullptr ? handle_of<ze_device_handle_t>(*device->root()) : nullptr;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetProperties(ze_device_handle_t device_handle,
                                  ze_device_properties_t* properties) {
  SOFTGPU_FIND(Device, device, device_handle);
  SOFTGPU_REQUIRE_POINTER(properties);
  const DeviceProfile& profile = device->profile();
  clear_properties(*properties);
  properties->type = ZE_DEVICE_TYPE_GPU;
  properties->vendorId = profile.vendor_id;
  properties->deviceId = profile.device_id;
  if (profile.integrated) properties->flags |= ZE_DEVICE_PROPERTY_FLAG_INTEGRATED;
  if (device->is_sub_device()) {
    properties->flags |= ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE;
    properties->subdeviceId = static_cast<std::uint32_t>(device->tile());
  }
  properties->coreClockRate = profile.core_clock_mhz;
  properties->maxMemAllocSize = profile.max_allocation_bytes;
  properties->maxHardwareContexts = 65536;
  properties->numThreadsPerEU = profile.threads_per_eu;
  properties->physicalEUSimdWidth = profile.eu_simd_width;
  properties->numEUsPerSubslice = profile.eus_per_subslice;
  properties->numSubslicesPerSlice = profile.subslices_per_slice;
  properties->numSlices = profile.slices * device->tiles();
  // Ticks a second for the structure of version 1.2, whole nanoseconds a tick for the older one.
  properties->timerResolution = properties->stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2
                                    ? profile.timer_hz
                                    : kNanosecondsPerSecond / profile.timer_hz;
  properties->timestampValidBits = profile.timestamp_valid_bits;
  properties->kernelTimestampValidBits = profile.kernel_timestamp_valid_bits;
  fill_uuid(*device, properties->uuid);
  copy_name(properties->name, profile.name);

  void* next = properties->pNext;
  if (auto* ip = find_extension<ze_device_ip_version_ext_t>(
          next, ZE_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT)) {
    ip->ipVersion = profile.ip_version;
  }
  if (auto* eus = find_extension<ze_eu_count_ext_t>(next, ZE_STRUCTURE_TYPE_EU_COUNT_EXT)) {
    eus->numTotalEUs =
        properties->numSlices * profile.subslices_per_slice * profile.eus_per_subslice;
  }
  if (auto* stamps = find_extension<ze_event_query_kernel_timestamps_ext_properties_t>(
          next, ZE_STRUCTURE_TYPE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_PROPERTIES)) {
    stamps->flags = ZE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_FLAG_KERNEL;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetComputeProperties(ze_device_handle_t device_handle,
                                         ze_device_compute_properties_t* properties) {
  SOFTGPU_FIND(Device, device, device_handle);
  SOFTGPU_REQUIRE_POINTER(properties);
  const DeviceProfile& profile = device->profile();
  clear_properties(*properties);
  properties->maxTotalGroupSize = profile.max_group_size;
  properties->maxGroupSizeX = profile.max_group_size;
  properties->maxGroupSizeY = profile.max_group_size;
  properties->maxGroupSizeZ = profile.max_group_size;
  properties->maxGroupCountX = UINT32_MAX;
  properties->maxGroupCountY = UINT32_MAX;
  properties->maxGroupCountZ = UINT32_MAX;
  properties->maxSharedLocalMemory = profile.shared_local_memory_bytes;
  properties->numSubGroupSizes = static_cast<std::uint32_t>(profile.sub_group_sizes.size());
  std::copy(profile.sub_group_sizes.begin(), profile.sub_group_sizes.end(),
            properties->subGroupSizes);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetModuleProperties(ze_device_handle_t device_handle,
                                        ze_device_module_properties_t* properties) {
  SOFTGPU_FIND(Device, device, device_handle);
  SOFTGPU_REQUIRE_POINTER(properties);
  constexpr ze_device_fp_flags_t kFloats =
      ZE_DEVICE_FP_FLAG_DENORM | ZE_DEVICE_FP_FLAG_INF_NAN | ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST |
      ZE_DEVICE_FP_FLAG_ROUND_TO_ZERO | ZE_DEVICE_FP_FLAG_ROUND_TO_INF | ZE_DEVICE_FP_FLAG_FMA;
  const bool fp64 = device->profile().fp64;
  clear_properties(*properties);
  properties->spirvVersionSupported = ZE_MAKE_VERSION(1, 5);
  properties->flags = ZE_DEVICE_MODULE_FLAG_FP16 | ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS;
  if (fp64) properties->flags |= ZE_DEVICE_MODULE_FLAG_FP64;
  properties->fp16flags = kFloats;
  properties->fp32flags = kFloats | ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT;
  properties->fp64flags = fp64 ? kFloats | ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT : 0;
  properties->maxArgumentsSize = 2048;
  properties->printfBufferSize = 4U << 20;
  if (auto* atomics = find_extension<ze_float_atomic_ext_properties_t>(
          properties->pNext, ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES)) {
    constexpr ze_device_fp_atomic_ext_flags_t kAll =
        ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_LOAD_STORE | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD |
        ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_MIN_MAX |
        ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_LOAD_STORE | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_ADD |
        ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_MIN_MAX;
    atomics->fp16Flags = kAll;
    atomics->fp32Flags = kAll;
    atomics->fp64Flags = fp64 ? kAll : 0;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetCommandQueueGroupProperties(ze_device_handle_t device_handle,
                                                   std::uint32_t* count,
                                                   ze_command_queue_group_properties_t* groups) {
  SOFTGPU_FIND(Device, device, device_handle);
  const auto& profile_groups = device->profile().queue_groups;
  return return_list(profile_groups.size(), count, groups,
                     [&](ze_command_queue_group_properties_t& out, std::uint32_t i) {
                       const QueueGroup& group = profile_groups[i];
                       out.flags = 0;
                       if (group.compute) {
                         out.flags |= ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE |
                                      ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS;
                       }
                       if (group.copy) out.flags |= ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY;
                       out.maxMemoryFillPatternSize = SIZE_MAX;
                       out.numQueues = group.queues;
                     });
}

ze_result_t zeDeviceGetMemoryProperties(ze_device_handle_t device_handle, std::uint32_t* count,
                                        ze_device_memory_properties_t* memories) {
  SOFTGPU_FIND(Device, device, device_handle);
  const DeviceProfile& profile = device->profile();
  return return_list(1, count, memories, [&](ze_device_memory_properties_t& out, std::uint32_t) {
    out.flags = 0;
    out.maxClockRate = profile.memory_clock_mhz;
    out.maxBusWidth = profile.memory_bus_width * device->tiles();
    out.totalSize = profile.memory_bytes * device->tiles();
    copy_name(out.name, profile.memory_name);
  });
}

ze_result_t zeDeviceGetMemoryAccessProperties(ze_device_handle_t device_handle,
                                              ze_device_memory_access_properties_t* properties) {
  SOFTGPU_FIND(Device, device, device_handle);
  SOFTGPU_REQUIRE_POINTER(properties);
  constexpr ze_memory_access_cap_flags_t kAccess =
      ZE_MEMORY_ACCESS_CAP_FLAG_RW | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC;
  clear_properties(*properties);
  properties->hostAllocCapabilities = kAccess;
  properties->deviceAllocCapabilities = kAccess;
  properties->sharedSingleDeviceAllocCapabilities = kAccess;
  properties->sharedCrossDeviceAllocCapabilities = kAccess;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetCacheProperties(ze_device_handle_t device_handle, std::uint32_t* count,
                                       ze_device_cache_properties_t* caches) {
  SOFTGPU_FIND(Device, device, device_handle);
  return return_list(1, count, caches, [&](ze_device_cache_properties_t& out, std::uint32_t) {
    out.flags = 0;
    out.cacheSize = device->profile().cache_bytes * device->tiles();
  });
}

ze_result_t zeDeviceGetImageProperties(ze_device_handle_t device_handle,
                                       ze_device_image_properties_t* properties) {
  SOFTGPU_FIND(Device, device, device_handle);
  SOFTGPU_REQUIRE_POINTER(properties);
  clear_properties(*properties);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetExternalMemoryProperties(
    ze_device_handle_t device_handle, ze_device_external_memory_properties_t* properties) {
  SOFTGPU_FIND(Device, device, device_handle);
  SOFTGPU_REQUIRE_POINTER(properties);
  clear_properties(*properties);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetP2PProperties(ze_device_handle_t device_handle,
                                     ze_device_handle_t peer_handle,
                                     ze_device_p2p_properties_t* properties) {
  SOFTGPU_FIND(Device, device, device_handle);
  SOFTGPU_FIND(Device, peer, peer_handle);
  SOFTGPU_REQUIRE_POINTER(properties);
  properties->flags = ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS | ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceCanAccessPeer(ze_device_handle_t device_handle, ze_device_handle_t peer_handle,
                                  ze_bool_t* value) {
  SOFTGPU_FIND(Device, device, device_handle);
  SOFTGPU_FIND(Device, peer, peer_handle);
  SOFTGPU_REQUIRE_POINTER(value);
  *value = 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetStatus(ze_device_handle_t device_handle) {
  SOFTGPU_FIND(Device, device, device_handle);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetGlobalTimestamps(ze_device_handle_t device_handle,
                                        std::uint64_t* host_timestamp,
                                        std::uint64_t* device_timestamp) {
  SOFTGPU_FIND(Device, device, device_handle);
  SOFTGPU_REQUIRE_POINTER(host_timestamp);
  SOFTGPU_REQUIRE_POINTER(device_timestamp);
  *host_timestamp = host_now();
  *device_timestamp = device->clock().global_stamp(device->clock().ticks(*host_timestamp));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDevicePciGetPropertiesExt(ze_device_handle_t device_handle,
                                        ze_pci_ext_properties_t* properties) {
  SOFTGPU_FIND(Device, device, device_handle);
  SOFTGPU_REQUIRE_POINTER(properties);
  const auto& pci = device->profile().pci;
  clear_properties(*properties);
  properties->address = {pci[0], pci[1] + device->index(), pci[2], pci[3]};
  properties->maxSpeed = {-1, -1, -1};
  return ZE_RESULT_SUCCESS;
}

}  // namespace softgpu::entry
