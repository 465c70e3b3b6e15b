#include "softgpu/api/arguments.h"
#include "softgpu/api/entry_points.h"
#include "softgpu/driver.h"

namespace softgpu::entry {

ze_result_t zeContextCreate(ze_driver_handle_t driver_handle, const ze_context_desc_t* description,
                            ze_context_handle_t* context) {
  return entry::zeContextCreateEx(driver_handle, description, 0, nullptr, context);
}

ze_result_t zeContextCreateEx(ze_driver_handle_t driver_handle,
                              const ze_context_desc_t* description, std::uint32_t device_count,
                              ze_device_handle_t* devices, ze_context_handle_t* context) {
  SOFTGPU_FIND(Driver, driver, driver_handle);
  SOFTGPU_REQUIRE_POINTER(description);
  SOFTGPU_REQUIRE_POINTER(context);
  if (has_unknown_flags(description->flags, ZE_CONTEXT_FLAG_TBD)) {
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  }
  if (device_count > 0 && devices == nullptr) return ZE_RESULT_ERROR_INVALID_SIZE;
  for (std::uint32_t i = 0; i < device_count; ++i) {
    SOFTGPU_FIND(Device, device, devices[i]);
  }
  return publish(std::make_shared<Context>(), context);
}

ze_result_t zeContextDestroy(ze_context_handle_t context) { return retire<Context>(context); }

ze_result_t zeContextGetStatus(ze_context_handle_t context_handle) {
  SOFTGPU_FIND(Context, context, context_handle);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeContextSystemBarrier(ze_context_handle_t context_handle,
                                   ze_device_handle_t device_handle) {
  SOFTGPU_FIND(Context, context, context_handle);
  SOFTGPU_FIND(Device, device, device_handle);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeContextMakeMemoryResident(ze_context_handle_t context_handle,
                                        ze_device_handle_t device_handle, void* pointer,
                                        std::size_t size) {
  SOFTGPU_FIND(Context, context, context_handle);
  SOFTGPU_FIND(Device, device, device_handle);
  SOFTGPU_REQUIRE_POINTER(pointer);
  return size == 0 ? ZE_RESULT_ERROR_INVALID_SIZE : ZE_RESULT_SUCCESS;
}

ze_result_t zeContextEvictMemory(ze_context_handle_t context_handle,
                                 ze_device_handle_t device_handle, void* pointer,
                                 std::size_t size) {
  SOFTGPU_FIND(Context, context, context_handle);
  SOFTGPU_FIND(Device, device, device_handle);
  SOFTGPU_REQUIRE_POINTER(pointer);
  return size == 0 ? ZE_RESULT_ERROR_INVALID_SIZE : ZE_RESULT_SUCCESS;
}

}  // namespace softgpu::entry
