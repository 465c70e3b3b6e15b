#include <algorithm>
#include <cstring>

#include "softgpu/api/arguments.h"
#include "softgpu/api/entry_points.h"
#include "softgpu/driver.h"
#include "softgpu/kernel.h"
#include "softgpu/log.h"

namespace softgpu::entry {
namespace {

ProgramSource make_source(const std::uint8_t* data, std::size_t size,
                          const ze_module_constants_t* constants) {
  ProgramSource source{data, size, {}};
  if (constants == nullptr) return source;
  for (std::uint32_t i = 0; i < constants->numConstants; ++i) {
    source.constants.emplace_back(constants->pConstantIds[i], constants->pConstantValues[i]);
  }
  return source;
}

std::vector<ProgramSource> sources_of(const ze_module_desc_t& description) {
  const auto* program = find_extension<const ze_module_program_exp_desc_t>(
      description.pNext, ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC);
  if (program == nullptr) {
    return {make_source(description.pInputModule, description.inputSize, description.pConstants)};
  }
  std::vector<ProgramSource> sources;
  for (std::uint32_t i = 0; i < program->count; ++i) {
    sources.push_back(
        make_source(program->pInputModules[i], program->inputSizes[i],
                    program->pConstants != nullptr ? program->pConstants[i] : nullptr));
  }
  return sources;
}

ze_result_t result_of(BuildError error) {
  switch (error) {
    case BuildError::kNotSpirv:
      return ZE_RESULT_ERROR_INVALID_NATIVE_BINARY;
    case BuildError::kNoRuntime:
      return ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE;
    default:
      return ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
  }
}

}  // namespace

ze_result_t zeModuleCreate(ze_context_handle_t context_handle, ze_device_handle_t device_handle,
                           const ze_module_desc_t* description, ze_module_handle_t* module,
                           ze_module_build_log_handle_t* build_log) {
  SOFTGPU_FIND(Context, context, context_handle);
  SOFTGPU_FIND(Device, device, device_handle);
  SOFTGPU_REQUIRE_POINTER(description);
  SOFTGPU_REQUIRE_POINTER(module);
  if (description->format != ZE_MODULE_FORMAT_IL_SPIRV) {
    return description->format == ZE_MODULE_FORMAT_NATIVE ? ZE_RESULT_ERROR_INVALID_NATIVE_BINARY
                                                          : ZE_RESULT_ERROR_INVALID_ENUMERATION;
  }
  const std::vector<ProgramSource> sources = sources_of(*description);
  if (sources.empty()) return ZE_RESULT_ERROR_INVALID_SIZE;
  for (const ProgramSource& source : sources) {
    SOFTGPU_REQUIRE_POINTER(source.data);
    if (source.size == 0) return ZE_RESULT_ERROR_INVALID_SIZE;
  }

  std::string text;
  BuildError error = BuildError::kNone;
  std::shared_ptr<Program> program = Program::build(sources, text, error);
  if (program == nullptr && (error == BuildError::kNoRuntime || build_log == nullptr)) {
    log("A module could not be built: " + text);
  }
  if (build_log != nullptr) publish(std::make_shared<ModuleBuildLog>(text), build_log);
  if (program == nullptr) {
    *module = nullptr;
    return result_of(error);
  }
  const ProgramSource& first = sources.front();
  return publish(
      std::make_shared<Module>(share_object<Device>(device_handle), std::move(program),
                               std::vector<std::uint8_t>(first.data, first.data + first.size)),
      module);
}

ze_result_t zeModuleDestroy(ze_module_handle_t module) { return retire<Module>(module); }

ze_result_t zeModuleDynamicLink(std::uint32_t count, ze_module_handle_t* modules,
                                ze_module_build_log_handle_t* link_log) {
  SOFTGPU_REQUIRE_POINTER(modules);
  for (std::uint32_t i = 0; i < count; ++i) {
    SOFTGPU_FIND(Module, module, modules[i]);
  }
  // Modules with imports are linked when they are built, so nothing is left to do.
  if (link_log != nullptr) publish(std::make_shared<ModuleBuildLog>(""), link_log);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleGetNativeBinary(ze_module_handle_t module_handle, std::size_t* size,
                                    std::uint8_t* binary) {
  SOFTGPU_FIND(Module, module, module_handle);
  SOFTGPU_REQUIRE_POINTER(size);
  const auto& bytes = module->binary();
  if (binary != nullptr) std::memcpy(binary, bytes.data(), std::min(*size, bytes.size()));
  *size = bytes.size();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleGetGlobalPointer(ze_module_handle_t module_handle, const char* name,
                                     std::size_t* size, void** pointer) {
  SOFTGPU_FIND(Module, module, module_handle);
  SOFTGPU_REQUIRE_POINTER(name);
  const auto variable = module->program().global_variable(name);
  if (!variable) return ZE_RESULT_ERROR_INVALID_GLOBAL_NAME;
  if (pointer != nullptr) *pointer = variable->first;
  if (size != nullptr) *size = variable->second;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleGetKernelNames(ze_module_handle_t module_handle, std::uint32_t* count,
                                   const char** names) {
  SOFTGPU_FIND(Module, module, module_handle);
  const auto& all = module->kernel_names();
  return return_list(all.size(), count, names,
                     [&](const char*& out, std::uint32_t i) { out = all[i].c_str(); });
}

ze_result_t zeModuleGetProperties(ze_module_handle_t module_handle,
                                  ze_module_properties_t* properties) {
  SOFTGPU_FIND(Module, module, module_handle);
  SOFTGPU_REQUIRE_POINTER(properties);
  properties->flags = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleBuildLogDestroy(ze_module_build_log_handle_t build_log) {
  return retire<ModuleBuildLog>(build_log);
}

ze_result_t zeModuleBuildLogGetString(ze_module_build_log_handle_t log_handle, std::size_t* size,
                                      char* text) {
  SOFTGPU_FIND(ModuleBuildLog, build_log, log_handle);
  return return_string(build_log->text(), size, text);
}

}  // namespace softgpu::entry
