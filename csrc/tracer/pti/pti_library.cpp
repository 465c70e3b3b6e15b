#include "tracer/pti/pti_library.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "tracer/pti/environment_guard.h"
#include "tracer/pti/library_alias.h"

namespace proton_xpu {
namespace {

constexpr const char* kLibraryVariable = "PROTON_XPU_PTI_LIBRARY";
constexpr const char* kModeVariable = "PTI_COLLECTION_MODE";
constexpr const char* kLogVariable = "PTILOG_LEVEL";
constexpr const char* kSonames[] = {"libpti_view.so.1", "libpti_view.so.0"};
constexpr std::uint32_t kNewestKnownMajor = 1;

/// Callbacks for appended operations came with 0.14, but their ids are those of the records, for
/// copies and fills too, only since 0.16.
constexpr std::uint32_t kFirstMinorWithCallbacks = 16;

/// Above all Level Zero functions that any version of PTI numbers.
constexpr std::uint32_t kApiIdLimit = 1024;

std::string take_dlerror() {
  const char* reason = dlerror();
  return reason != nullptr ? reason : "no reason given";
}

void* open_file(const std::string& path, const char* origin) {
  if (void* library = dlopen(path.c_str(), RTLD_NOW)) return library;
  throw std::runtime_error("Cannot open Intel PTI (" + take_dlerror() + "), which " + origin +
                           " names; correct that path.");
}

void* open_library(const std::string& handed_path) {
  const char* named = std::getenv(kLibraryVariable);
  if (named != nullptr && *named != '\0') return open_file(named, kLibraryVariable);
  if (!handed_path.empty()) return open_file(handed_path, "the installed package intel-pti");
  for (const char* soname : kSonames) {
    if (void* library = dlopen(soname, RTLD_NOW)) return library;
  }
  throw std::runtime_error(std::string("Intel PTI is not installed (") + kSonames[0] +
                           " is not found); run `pip install intel-pti`, or set " +
                           kLibraryVariable + " to the path of libpti_view.so.");
}

std::string file_of(void* library) {
  link_map* map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return kSonames[0];
  return map->l_name;
}

/// PTI's companion library needs libxptifw.so. The packages of a virtual environment put it next to
/// libpti_view, where the dynamic loader does not search, and under another SONAME.
void provide_xpti_framework(const std::string& library_path) {
  constexpr const char* kNeededName = "libxptifw.so";
  constexpr const char* kSoname = "libxptifw.so.1";
  if (dlopen(kNeededName, RTLD_NOW) != nullptr) return;
  void* framework = dlopen(kSoname, RTLD_NOW | RTLD_NOLOAD);
  if (framework == nullptr) {
    const std::filesystem::path folder = std::filesystem::path(library_path).parent_path();
    framework = dlopen((folder / kNeededName).c_str(), RTLD_NOW);
  }
  if (framework != nullptr && soname_of(framework) != kNeededName) {
    add_library_alias(kNeededName, soname_of(framework));
  }
}

/// libpti_view hides why the library that does the work does not load, so that is tried here. The
/// 0.x releases look for it by its bare name only.
void load_companion(const std::string& library_path) {
  constexpr const char* kBareName = "libpti.so";
  const std::filesystem::path folder = std::filesystem::path(library_path).parent_path();
  for (const std::filesystem::path& path : {folder / "pti" / kBareName, folder / kBareName}) {
    if (!std::filesystem::exists(path)) continue;
    if (dlopen(path.c_str(), RTLD_NOW) == nullptr) {
      throw std::runtime_error("Intel PTI does not load (" + take_dlerror() +
                               "); install a newer Level Zero loader (libze1), or another version "
                               "of intel-pti.");
    }
    if (dlopen(kBareName, RTLD_NOW) == nullptr) add_library_alias(kBareName, path);
    return;
  }
}

template <typename Function>
void resolve_optional(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
}

template <typename Function>
void resolve_required(void* library, const char* name, Function& function) {
  resolve_optional(library, name, function);
  if (function == nullptr) {
    throw std::runtime_error("Intel PTI at " + file_of(library) + " lacks " + name +
                             "; run `pip install -U intel-pti`.");
  }
}

}  // namespace

void PtiLibrary::resolve(void* library) {
  path_ = file_of(library);
  pti::Version (*get_version)() = nullptr;
  resolve_required(library, "ptiVersion", get_version);
  version_ = get_version();
  if (version_.major_number > kNewestKnownMajor) {
    throw std::runtime_error("Intel PTI " + version_string() + " at " + path_ +
                             " is newer than this proton_xpu understands; install intel-pti 1.x "
                             "or a newer proton_xpu.");
  }
  if (version_.major_number == 0 && version_.minor_number < kFirstMinorWithCallbacks) {
    throw std::runtime_error("Intel PTI " + version_string() + " at " + path_ +
                             " cannot tell launches apart; install intel-pti 0.16 or newer.");
  }
  resolve_required(library, "ptiViewSetCallbacks", view_set_callbacks);
  resolve_required(library, "ptiViewSetTimestampCallback", view_set_timestamp_callback);
  resolve_required(library, "ptiViewEnable", view_enable);
  resolve_required(library, "ptiViewDisable", view_disable);
  resolve_required(library, "ptiFlushAllViews", flush_all_views);
  resolve_required(library, "ptiViewGetNextRecord", view_get_next_record);
  resolve_required(library, "ptiViewGetApiIdName", view_get_api_id_name);
  resolve_required(library, "ptiCallbackSubscribe", callback_subscribe);
  resolve_required(library, "ptiCallbackUnsubscribe", callback_unsubscribe);
  resolve_required(library, "ptiCallbackEnableDomain", callback_enable_domain);
  resolve_optional(library, "ptiResultTypeToString", result_to_string);
}

PtiLibrary& PtiLibrary::open(const std::string& handed_path) {
  static std::mutex mutex;
  // Leaked on purpose: PTI keeps our callbacks until the very end of the process.
  static PtiLibrary* opened = nullptr;
  const std::lock_guard<std::mutex> lock(mutex);
  if (opened != nullptr) return *opened;

  const EnvironmentGuard guard;
  void* library = open_library(handed_path);
  std::unique_ptr<PtiLibrary> candidate(new PtiLibrary());
  candidate->resolve(library);
  provide_xpti_framework(candidate->path());
  load_companion(candidate->path());
  opened = candidate.release();
  return *opened;
}

void PtiLibrary::set_up_environment() {
  const char* wanted = std::getenv(kModeVariable);
  if (wanted != nullptr && *wanted != '\0') {
    collection_mode_note_ =
        std::string("PTI collection mode ") + wanted + ", as " + kModeVariable + " asks for.";
  } else {
    // The hybrid mode treats events as the full mode does and costs little while stopped. PTI's own
    // default, the local mode, is known to give zero times and to hang with launches that have no
    // event (intel-xpu-backend-for-triton issue 7692).
    setenv(kModeVariable, "1", 1);
    collection_mode_note_ =
        std::string("PTI collection mode 1 (hybrid); ") + kModeVariable + " changes it.";
  }
  // PTI would print to standard output what the records tell as well.
  setenv(kLogVariable, "off", 0);
}

void PtiLibrary::initialize(pti::GetTimestamp clock, pti::BufferRequested requested,
                            pti::BufferCompleted completed) {
  const bool is_first = collection_mode_note_.empty();
  std::optional<EnvironmentGuard> guard;
  if (is_first) {
    guard.emplace();
    set_up_environment();
  }
  check(view_set_timestamp_callback(clock), "ptiViewSetTimestampCallback");
  check(view_set_callbacks(requested, completed), "ptiViewSetCallbacks");
}

void PtiLibrary::check(pti::Result result, const char* call, const char* file, int line) const {
  if (result == pti::Result::kSuccess) return;
  const char* text = result_to_string != nullptr ? result_to_string(result) : nullptr;
  std::string hint = "check that PTI " + version_string() + " fits the GPU driver.";
  if (result == pti::Result::kNotImplemented) {
    hint = "reinstall intel-pti, a part of it is missing.";
  } else if (result == pti::Result::kTracingNotInitialized) {
    hint =
        "the Level Zero loader does not find libze_tracing_layer.so.1: install the package libze1, "
        "or set ZEL_LIBRARY_PATH to the folder of that file before Level Zero starts.";
  }
  const char* slash = std::strrchr(file, '/');
  throw std::runtime_error(
      std::string(call) + " failed with " + (text != nullptr ? text : "error") + " (" +
      std::to_string(static_cast<std::uint32_t>(result)) + ") at " +
      (slash != nullptr ? slash + 1 : file) + ":" + std::to_string(line) + "; " + hint);
}

std::string PtiLibrary::version_string() const {
  return std::to_string(version_.major_number) + "." + std::to_string(version_.minor_number) + "." +
         std::to_string(version_.patch_number);
}

std::uint32_t PtiLibrary::find_api_id(const char* function_name) const {
  for (std::uint32_t id = 1; id < kApiIdLimit; ++id) {
    const char* name = nullptr;
    if (view_get_api_id_name(pti::kApiGroupLevelZero, id, &name) == pti::Result::kSuccess &&
        name != nullptr && std::strcmp(name, function_name) == 0) {
      return id;
    }
  }
  return 0;
}

}  // namespace proton_xpu
