#include "device/level_zero.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace proton_xpu {
namespace {

constexpr const char* kLoaderName = "libze_loader.so.1";
constexpr const char* kLoaderVariable = "PROTON_XPU_LEVEL_ZERO_LOADER";

std::string file_of(void* library) {
  link_map* map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr || map->l_name == nullptr) {
    return kLoaderName;
  }
  return map->l_name;
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return std::filesystem::equivalent(a, b, error) && !error;
}

/// Two loaders in one process do not see each other's calls, so a second one is refused.
void* open_loader() {
  const char* wanted = std::getenv(kLoaderVariable);
  const bool has_wish = wanted != nullptr && *wanted != '\0';
  if (void* present = dlopen(kLoaderName, RTLD_NOW | RTLD_NOLOAD)) {
    if (has_wish && !same_file(file_of(present), wanted)) {
      throw std::runtime_error("The Level Zero loader " + file_of(present) +
                               " is already in this process, but " + kLoaderVariable + " names " +
                               wanted + "; unset the variable or load that file first.");
    }
    return present;
  }
  const char* name = has_wish ? wanted : kLoaderName;
  if (void* opened = dlopen(name, RTLD_NOW)) return opened;
  const char* reason = dlerror();
  throw std::runtime_error(std::string("Cannot open the Level Zero loader (") +
                           (reason ? reason : name) + "); install the package libze1 or set " +
                           kLoaderVariable + " to the path of " + kLoaderName + ".");
}

/// The loader finds its tracing layer, which PTI needs, by the dynamic loader's search alone. One
/// that lies next to a loader outside that search is found if it is in the process already.
void preload_tracing_layer(const std::string& loader_path) {
  const std::filesystem::path folder = std::filesystem::path(loader_path).parent_path();
  dlopen((folder / "libze_tracing_layer.so.1").c_str(), RTLD_NOW);
}

template <typename Function>
void resolve_optional(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
}

template <typename Function>
void resolve_required(void* library, const char* name, Function& function) {
  resolve_optional(library, name, function);
  if (function == nullptr) {
    throw std::runtime_error("The Level Zero loader " + file_of(library) + " lacks " + name +
                             "; install a newer libze1.");
  }
}

LevelZeroVersion version_of(void* library) {
  decltype(&zelLoaderGetVersions) get_versions = nullptr;
  resolve_optional(library, "zelLoaderGetVersions", get_versions);
  std::size_t count = 0;
  if (get_versions == nullptr || get_versions(&count, nullptr) != ZE_RESULT_SUCCESS) return {};
  std::vector<zel_component_version_t> components(count);
  if (get_versions(&count, components.data()) != ZE_RESULT_SUCCESS) return {};
  for (const zel_component_version_t& component : components) {
    if (std::strcmp(component.component_name, "loader") == 0) {
      const zel_version_t& version = component.component_lib_version;
      return {version.major, version.minor, version.patch};
    }
  }
  return {};
}

}  // namespace

std::string to_string(const LevelZeroVersion& version) {
  return std::to_string(version.major_number) + "." + std::to_string(version.minor_number) + "." +
         std::to_string(version.patch_number);
}

void LevelZero::resolve(void* library) {
  path_ = file_of(library);
  resolve_required(library, "zeInit", init);
  resolve_required(library, "zeDriverGet", driver_get);
  resolve_required(library, "zeDriverGetProperties", driver_get_properties);
  resolve_required(library, "zeDriverGetApiVersion", driver_get_api_version);
  resolve_required(library, "zeDeviceGet", device_get);
  resolve_required(library, "zeDeviceGetSubDevices", device_get_sub_devices);
  resolve_required(library, "zeDeviceGetProperties", device_get_properties);
  resolve_required(library, "zeDeviceGetMemoryProperties", device_get_memory_properties);
  resolve_required(library, "zeContextCreate", context_create);
  resolve_required(library, "zeContextDestroy", context_destroy);
  resolve_required(library, "zeCommandListCreateImmediate", command_list_create_immediate);
  resolve_required(library, "zeCommandListDestroy", command_list_destroy);
  resolve_optional(library, "zeDevicePciGetPropertiesExt", device_pci_get_properties);
  resolve_optional(library, "zeCommandListHostSynchronize", command_list_host_synchronize);
}

const LevelZero& LevelZero::open() {
  static std::mutex mutex;
  // Leaked on purpose: callbacks of the loader may come until the very end of the process.
  static const LevelZero* opened = nullptr;
  const std::lock_guard<std::mutex> lock(mutex);
  if (opened != nullptr) return *opened;

  void* library = open_loader();
  std::unique_ptr<LevelZero> candidate(new LevelZero());
  candidate->resolve(library);
  preload_tracing_layer(candidate->path());
  const ze_result_t result = candidate->init(ZE_INIT_FLAG_GPU_ONLY);
  if (result != ZE_RESULT_SUCCESS) {
    char code[16];
    std::snprintf(code, sizeof code, "0x%x", static_cast<unsigned>(result));
    throw std::runtime_error(
        std::string("No Level Zero GPU driver starts (zeInit answers ") + code +
        "); install Intel's GPU driver, or use the software device with PROTON_XPU_DEVICE=soft.");
  }
  candidate->version_ = version_of(library);
  opened = candidate.release();
  return *opened;
}

}  // namespace proton_xpu
