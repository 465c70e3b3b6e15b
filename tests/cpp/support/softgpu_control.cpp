#include "support/softgpu_control.h"

#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace proton_xpu::testing {
namespace {

template <typename Function>
void resolve(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw std::runtime_error(std::string("the driver lacks ") + name);
}

}  // namespace

SoftgpuControl::SoftgpuControl() {
  const char* path = std::getenv("ZE_ENABLE_ALT_DRIVERS");
  void* library = dlopen(path != nullptr ? path : "libze_softgpu.so", RTLD_NOW);
  if (library == nullptr) throw std::runtime_error(dlerror());
  resolve(library, "softgpu_set_clock", set_clock);
  resolve(library, "softgpu_set_execution", set_execution);
  resolve(library, "softgpu_script_push", script_push);
  resolve(library, "softgpu_script_clear", script_clear);
  resolve(library, "softgpu_get_count", get_count);
  resolve(library, "softgpu_drain", drain);
}

}  // namespace proton_xpu::testing
