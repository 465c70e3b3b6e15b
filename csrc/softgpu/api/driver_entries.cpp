#include <array>
#include <cstring>

#include "softgpu/api/arguments.h"
#include "softgpu/api/entry_points.h"
#include "softgpu/driver.h"

namespace softgpu::entry {
namespace {

struct Extension {
  const char* name;
  ze_api_version_t version;
};

constexpr std::array<Extension, 9> kExtensions{{
    {ZE_GLOBAL_OFFSET_EXP_NAME, ZE_API_VERSION_1_0},
    {ZE_MODULE_PROGRAM_EXP_NAME, ZE_API_VERSION_1_0},
    {ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME, ZE_API_VERSION_1_0},
    {ZE_FLOAT_ATOMICS_EXT_NAME, ZE_API_VERSION_1_0},
    {ZE_EU_COUNT_EXT_NAME, ZE_API_VERSION_1_0},
    {ZE_PCI_PROPERTIES_EXT_NAME, ZE_API_VERSION_1_0},
    {ZE_MEMORY_FREE_POLICIES_EXT_NAME, ZE_API_VERSION_1_0},
    {ZE_DEVICE_IP_VERSION_EXT_NAME, ZE_API_VERSION_1_0},
    {ZE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_NAME, ZE_API_VERSION_1_0},
}};

ze_result_t return_driver(std::uint32_t* count, ze_driver_handle_t* drivers) {
  Driver* driver = Driver::instance();
  if (driver == nullptr) return ZE_RESULT_ERROR_UNINITIALIZED;
  return return_list(1, count, drivers, [&](ze_driver_handle_t& out, std::uint32_t) {
    out = handle_of<ze_driver_handle_t>(*driver);
  });
}

}  // namespace

ze_result_t zeInit(ze_init_flags_t flags) {
  if (has_unknown_flags(flags, ZE_INIT_FLAG_GPU_ONLY | ZE_INIT_FLAG_VPU_ONLY)) {
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  }
  if (flags == ZE_INIT_FLAG_VPU_ONLY) return ZE_RESULT_ERROR_UNINITIALIZED;
  return Driver::instance() != nullptr ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_UNINITIALIZED;
}

ze_result_t zesInit(zes_init_flags_t) {
  return Driver::instance() != nullptr ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_UNINITIALIZED;
}

ze_result_t zeInitDrivers(std::uint32_t* count, ze_driver_handle_t* drivers,
                          ze_init_driver_type_desc_t* description) {
  SOFTGPU_REQUIRE_POINTER(count);
  SOFTGPU_REQUIRE_POINTER(description);
  if (description->flags == 0) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  if ((description->flags & ZE_INIT_DRIVER_TYPE_FLAG_GPU) == 0) {
    *count = 0;
    return ZE_RESULT_SUCCESS;
  }
  return return_driver(count, drivers);
}

ze_result_t zeDriverGet(std::uint32_t* count, ze_driver_handle_t* drivers) {
  return return_driver(count, drivers);
}

ze_result_t zeDriverGetApiVersion(ze_driver_handle_t driver_handle, ze_api_version_t* version) {
  SOFTGPU_FIND(Driver, driver, driver_handle);
  SOFTGPU_REQUIRE_POINTER(version);
  *version = static_cast<ze_api_version_t>(driver->profile().api_version);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGetProperties(ze_driver_handle_t driver_handle,
                                  ze_driver_properties_t* properties) {
  SOFTGPU_FIND(Driver, driver, driver_handle);
  SOFTGPU_REQUIRE_POINTER(properties);
  clear_properties(*properties);
  properties->driverVersion = driver->profile().driver_version;
  constexpr char kUuid[sizeof(properties->uuid.id) + 1] = "proton_xpu soft.";
  std::memcpy(properties->uuid.id, kUuid, sizeof(properties->uuid.id));
  if (auto* free = find_extension<ze_driver_memory_free_ext_properties_t>(
          properties->pNext, ZE_STRUCTURE_TYPE_DRIVER_MEMORY_FREE_EXT_PROPERTIES)) {
    free->freePolicies = ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE |
                         ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGetIpcProperties(ze_driver_handle_t driver_handle,
                                     ze_driver_ipc_properties_t* properties) {
  SOFTGPU_FIND(Driver, driver, driver_handle);
  SOFTGPU_REQUIRE_POINTER(properties);
  properties->flags = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGetExtensionProperties(ze_driver_handle_t driver_handle, std::uint32_t* count,
                                           ze_driver_extension_properties_t* extensions) {
  SOFTGPU_FIND(Driver, driver, driver_handle);
  return return_list(kExtensions.size(), count, extensions,
                     [](ze_driver_extension_properties_t& out, std::uint32_t i) {
                       copy_name(out.name, kExtensions[i].name);
                       out.version = kExtensions[i].version;
                     });
}

ze_result_t zeDriverGetExtensionFunctionAddress(ze_driver_handle_t driver_handle, const char* name,
                                                void** function) {
  SOFTGPU_FIND(Driver, driver, driver_handle);
  SOFTGPU_REQUIRE_POINTER(name);
  SOFTGPU_REQUIRE_POINTER(function);
  *function = nullptr;
  return ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

ze_result_t zeDriverGetLastErrorDescription(ze_driver_handle_t driver_handle, const char** text) {
  SOFTGPU_FIND(Driver, driver, driver_handle);
  SOFTGPU_REQUIRE_POINTER(text);
  *text = "";
  return ZE_RESULT_SUCCESS;
}

}  // namespace softgpu::entry
