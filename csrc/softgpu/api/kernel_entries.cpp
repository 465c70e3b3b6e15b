#include <cstring>

#include "softgpu/api/arguments.h"
#include "softgpu/api/entry_points.h"
#include "softgpu/driver.h"
#include "softgpu/kernel.h"

namespace softgpu::entry {
namespace {

// A group size that divides the work evenly, as far as powers of two do.
std::uint32_t suggest_extent(std::uint32_t work, std::uint32_t limit) {
  std::uint32_t extent = limit;
  while (extent > 1 && work % extent != 0) extent /= 2;
  return extent;
}

}  // namespace

ze_result_t zeKernelCreate(ze_module_handle_t module_handle, const ze_kernel_desc_t* description,
                           ze_kernel_handle_t* kernel) {
  SOFTGPU_FIND(Module, module, module_handle);
  SOFTGPU_REQUIRE_POINTER(description);
  SOFTGPU_REQUIRE_POINTER(description->pKernelName);
  SOFTGPU_REQUIRE_POINTER(kernel);
  if (has_unknown_flags(description->flags,
                        ZE_KERNEL_FLAG_FORCE_RESIDENCY | ZE_KERNEL_FLAG_EXPLICIT_RESIDENCY)) {
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  }
  auto executable = module->program().create_kernel(description->pKernelName);
  if (executable == nullptr) return ZE_RESULT_ERROR_INVALID_KERNEL_NAME;
  return publish(std::make_shared<Kernel>(module->device(), std::move(executable)), kernel);
}

ze_result_t zeKernelDestroy(ze_kernel_handle_t kernel) { return retire<Kernel>(kernel); }

ze_result_t zeKernelSetCacheConfig(ze_kernel_handle_t kernel_handle,
                                   ze_cache_config_flags_t flags) {
  SOFTGPU_FIND(Kernel, kernel, kernel_handle);
  return has_unknown_flags(flags, ZE_CACHE_CONFIG_FLAG_LARGE_SLM | ZE_CACHE_CONFIG_FLAG_LARGE_DATA)
             ? ZE_RESULT_ERROR_INVALID_ENUMERATION
             : ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetGroupSize(ze_kernel_handle_t kernel_handle, std::uint32_t x, std::uint32_t y,
                                 std::uint32_t z) {
  SOFTGPU_FIND(Kernel, kernel, kernel_handle);
  return kernel->set_group_size({x, y, z});
}

ze_result_t zeKernelSuggestGroupSize(ze_kernel_handle_t kernel_handle, std::uint32_t work_x,
                                     std::uint32_t work_y, std::uint32_t work_z, std::uint32_t* x,
                                     std::uint32_t* y, std::uint32_t* z) {
  SOFTGPU_FIND(Kernel, kernel, kernel_handle);
  SOFTGPU_REQUIRE_POINTER(x);
  SOFTGPU_REQUIRE_POINTER(y);
  SOFTGPU_REQUIRE_POINTER(z);
  if (work_x == 0 || work_y == 0 || work_z == 0) {
    return ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION;
  }
  const auto& required = kernel->info().required_group_size;
  if (required[0] != 0) {
    *x = required[0];
    *y = required[1];
    *z = required[2];
    return ZE_RESULT_SUCCESS;
  }
  constexpr std::uint32_t kItems = 256;
  *x = suggest_extent(work_x, kItems);
  *y = suggest_extent(work_y, kItems / *x);
  *z = suggest_extent(work_z, kItems / *x / *y);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSuggestMaxCooperativeGroupCount(ze_kernel_handle_t kernel_handle,
                                                    std::uint32_t* count) {
  SOFTGPU_FIND(Kernel, kernel, kernel_handle);
  SOFTGPU_REQUIRE_POINTER(count);
  // Groups run one after the other where there are few cores: only one is sure to make progress.
  *count = 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetArgumentValue(ze_kernel_handle_t kernel_handle, std::uint32_t index,
                                     std::size_t size, const void* value) {
  SOFTGPU_FIND(Kernel, kernel, kernel_handle);
  return kernel->set_argument(index, size, value);
}

ze_result_t zeKernelSetIndirectAccess(ze_kernel_handle_t kernel_handle,
                                      ze_kernel_indirect_access_flags_t flags) {
  SOFTGPU_FIND(Kernel, kernel, kernel_handle);
  if (has_unknown_flags(flags, ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST |
                                   ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE |
                                   ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED)) {
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  }
  kernel->set_indirect_access(flags);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelGetIndirectAccess(ze_kernel_handle_t kernel_handle,
                                      ze_kernel_indirect_access_flags_t* flags) {
  SOFTGPU_FIND(Kernel, kernel, kernel_handle);
  SOFTGPU_REQUIRE_POINTER(flags);
  *flags = kernel->indirect_access();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelGetSourceAttributes(ze_kernel_handle_t kernel_handle, std::uint32_t* size,
                                        char** text) {
  SOFTGPU_FIND(Kernel, kernel, kernel_handle);
  SOFTGPU_REQUIRE_POINTER(size);
  std::size_t length = *size;
  const ze_result_t result = return_string("", &length, text != nullptr ? *text : nullptr);
  *size = static_cast<std::uint32_t>(length);
  return result;
}

ze_result_t zeKernelGetProperties(ze_kernel_handle_t kernel_handle,
                                  ze_kernel_properties_t* properties) {
  SOFTGPU_FIND(Kernel, kernel, kernel_handle);
  SOFTGPU_REQUIRE_POINTER(properties);
  const KernelInfo& info = kernel->info();
  const DeviceProfile& profile = kernel->device().profile();
  const std::uint32_t sub_group_size = info.required_subgroup_size != 0
                                           ? info.required_subgroup_size
                                           : profile.sub_group_sizes.back();
  clear_properties(*properties);
  properties->numKernelArgs = static_cast<std::uint32_t>(info.arguments.size());
  properties->requiredGroupSizeX = info.required_group_size[0];
  properties->requiredGroupSizeY = info.required_group_size[1];
  properties->requiredGroupSizeZ = info.required_group_size[2];
  properties->requiredSubgroupSize = info.required_subgroup_size;
  properties->maxSubgroupSize = sub_group_size;
  properties->maxNumSubgroups = profile.max_group_size / sub_group_size;
  properties->localMemSize = static_cast<std::uint32_t>(info.local_memory_bytes);
  properties->privateMemSize = static_cast<std::uint32_t>(info.private_memory_bytes);
  if (auto* preferred = find_extension<ze_kernel_preferred_group_size_properties_t>(
          properties->pNext, ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES)) {
    preferred->preferredMultiple = sub_group_size;
  }
  if (auto* most = find_extension<ze_kernel_max_group_size_properties_ext_t>(
          properties->pNext, ZE_STRUCTURE_TYPE_KERNEL_MAX_GROUP_SIZE_EXT_PROPERTIES)) {
    most->maxGroupSize = profile.max_group_size;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelGetName(ze_kernel_handle_t kernel_handle, std::size_t* size, char* name) {
  SOFTGPU_FIND(Kernel, kernel, kernel_handle);
  return return_string(kernel->info().name, size, name);
}

ze_result_t zeKernelSetGlobalOffsetExp(ze_kernel_handle_t kernel_handle, std::uint32_t x,
                                       std::uint32_t y, std::uint32_t z) {
  SOFTGPU_FIND(Kernel, kernel, kernel_handle);
  kernel->set_global_offset({x, y, z});
  return ZE_RESULT_SUCCESS;
}

}  // namespace softgpu::entry
