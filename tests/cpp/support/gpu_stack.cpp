#include "support/gpu_stack.h"

#include <cstdlib>
#include <filesystem>

namespace proton_xpu::testing {

void use_gpu_stack() {
  setenv("PROTON_XPU_LEVEL_ZERO_LOADER", GPU_STACK_LOADER, 0);
  setenv("PROTON_XPU_PTI_LIBRARY", GPU_STACK_PTI, 0);
  setenv("PROTON_XPU_OPENCL_RUNTIME", GPU_STACK_OPENCL, 0);
  setenv("PROTON_XPU_SOFTGPU_CACHE", GPU_STACK_CACHE, 0);
  setenv("ZE_ENABLE_ALT_DRIVERS", GPU_STACK_DRIVER, 0);
  // The loader looks for its tracing layer there.
  const std::filesystem::path loader = std::getenv("PROTON_XPU_LEVEL_ZERO_LOADER");
  setenv("ZEL_LIBRARY_PATH", loader.parent_path().c_str(), 0);
}

}  // namespace proton_xpu::testing
