// Where the libraries of this build's GPU stack are.
#pragma once

namespace proton_xpu::testing {

/// Points this process at the software device and the libraries under and over it that CMake found,
/// except where the environment says otherwise. Call it before anything of Level Zero.
void use_gpu_stack();

}  // namespace proton_xpu::testing
