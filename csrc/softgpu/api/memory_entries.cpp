#include <cstdlib>
#include <cstring>

#include "softgpu/allocations.h"
#include "softgpu/api/arguments.h"
#include "softgpu/api/entry_points.h"
#include "softgpu/driver.h"
#include "softgpu/parking.h"
#include "softgpu/worker.h"

namespace softgpu::entry {
namespace {

constexpr std::uint64_t kPageSize = 4096;

bool is_relaxed(const void* chain) {
  const auto* limits = find_extension<const ze_relaxed_allocation_limits_exp_desc_t>(
      chain, ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC);
  return limits != nullptr && (limits->flags & ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE) != 0;
}

ze_result_t allocate(const void* chain, std::size_t size, std::size_t alignment,
                     ze_memory_type_t type, std::shared_ptr<Device> device, void** pointer) {
  SOFTGPU_REQUIRE_POINTER(pointer);
  const std::uint64_t limit = Driver::instance()->profile().max_allocation_bytes;
  if (size == 0 || (size > limit && !is_relaxed(chain))) return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
  if ((alignment & (alignment - 1)) != 0) return ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT;
  *pointer = Allocations::instance().allocate(size, alignment, type, std::move(device));
  return *pointer != nullptr ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
}

// Lets Torch's CPU tensors be passed to kernels: all memory is the device's here anyhow.
bool unknown_is_device() {
  static const bool value = [] {
    const char* text = std::getenv("PROTON_XPU_SOFTGPU_UNKNOWN_AS_DEVICE");
    return text != nullptr && std::strcmp(text, "1") == 0;
  }();
  return value;
}

}  // namespace

ze_result_t zeMemAllocDevice(ze_context_handle_t context_handle,
                             const ze_device_mem_alloc_desc_t* description, std::size_t size,
                             std::size_t alignment, ze_device_handle_t device_handle,
                             void** pointer) {
  SOFTGPU_FIND(Context, context, context_handle);
  SOFTGPU_FIND(Device, device, device_handle);
  SOFTGPU_REQUIRE_POINTER(description);
  return allocate(description->pNext, size, alignment, ZE_MEMORY_TYPE_DEVICE,
                  share_object<Device>(device_handle), pointer);
}

ze_result_t zeMemAllocHost(ze_context_handle_t context_handle,
                           const ze_host_mem_alloc_desc_t* description, std::size_t size,
                           std::size_t alignment, void** pointer) {
  SOFTGPU_FIND(Context, context, context_handle);
  SOFTGPU_REQUIRE_POINTER(description);
  return allocate(description->pNext, size, alignment, ZE_MEMORY_TYPE_HOST, nullptr, pointer);
}

ze_result_t zeMemAllocShared(ze_context_handle_t context_handle,
                             const ze_device_mem_alloc_desc_t* device_description,
                             const ze_host_mem_alloc_desc_t* host_description, std::size_t size,
                             std::size_t alignment, ze_device_handle_t device_handle,
                             void** pointer) {
  SOFTGPU_FIND(Context, context, context_handle);
  SOFTGPU_REQUIRE_POINTER(device_description);
  SOFTGPU_REQUIRE_POINTER(host_description);
  std::shared_ptr<Device> device;
  if (device_handle != nullptr) {
    device = share_object<Device>(device_handle);
    if (device == nullptr) return bad_handle(device_handle);
  }
  return allocate(device_description->pNext, size, alignment, ZE_MEMORY_TYPE_SHARED,
                  std::move(device), pointer);
}

ze_result_t zeMemFree(ze_context_handle_t context_handle, void* pointer) {
  SOFTGPU_FIND(Context, context, context_handle);
  SOFTGPU_REQUIRE_POINTER(pointer);
  return Allocations::instance().free(pointer) ? ZE_RESULT_SUCCESS
                                               : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

ze_result_t zeMemFreeExt(ze_context_handle_t context_handle,
                         const ze_memory_free_ext_desc_t* description, void* pointer) {
  SOFTGPU_FIND(Context, context, context_handle);
  SOFTGPU_REQUIRE_POINTER(description);
  SOFTGPU_REQUIRE_POINTER(pointer);
  constexpr auto kBlocking = ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE;
  constexpr auto kDeferred = ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE;
  if (has_unknown_flags(description->freePolicy, kBlocking | kDeferred)) {
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  }
  if (!Allocations::instance().free(pointer)) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  if ((description->freePolicy & kBlocking) != 0) {
    for (const auto& worker : Worker::all()) {
      worker->wait(worker->submitted(), ParkingLot::kForever);
    }
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeMemGetAllocProperties(ze_context_handle_t context_handle, const void* pointer,
                                    ze_memory_allocation_properties_t* properties,
                                    ze_device_handle_t* device) {
  SOFTGPU_FIND(Context, context, context_handle);
  SOFTGPU_REQUIRE_POINTER(pointer);
  SOFTGPU_REQUIRE_POINTER(properties);
  const Device* owner = nullptr;
  if (const auto allocation = Allocations::instance().find(pointer)) {
    properties->type = allocation->type;
    properties->id = allocation->id;
    properties->pageSize = kPageSize;
    owner = allocation->device.get();
  } else {
    const bool as_device = unknown_is_device();
    properties->type = as_device ? ZE_MEMORY_TYPE_DEVICE : ZE_MEMORY_TYPE_UNKNOWN;
    properties->id = 0;
    properties->pageSize = as_device ? kPageSize : 0;
    if (as_device) owner = Driver::instance()->devices().front().get();
  }
  if (device != nullptr) {
    *device = owner != nullptr ? handle_of<ze_device_handle_t>(*owner) : nullptr;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeMemGetAddressRange(ze_context_handle_t context_handle, const void* pointer,
                                 void** base, std::size_t* size) {
  SOFTGPU_FIND(Context, context, context_handle);
  SOFTGPU_REQUIRE_POINTER(pointer);
  const auto allocation = Allocations::instance().find(pointer);
  if (!allocation) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  if (base != nullptr) *base = reinterpret_cast<void*>(allocation->base);
  if (size != nullptr) *size = allocation->size;
  return ZE_RESULT_SUCCESS;
}

}  // namespace softgpu::entry
