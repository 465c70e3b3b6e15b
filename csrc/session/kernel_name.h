// Kernel names as people read them.
#pragma once

#include <string>
#include <string_view>

namespace proton_xpu {

/// A mangled C++ name (SYCL, OpenCL C++) demangled; any other name, like Triton's, as it is.
std::string shown_kernel_name(std::string_view raw);

}  // namespace proton_xpu
