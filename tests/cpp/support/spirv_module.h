// Assembles small SPIR-V modules, so that tests need no compiler and no binary files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace proton_xpu::testing {

/// A module with one kernel `void name(void) {}` for each name.
std::vector<std::uint32_t> make_empty_kernels(const std::vector<std::string>& names);

}  // namespace proton_xpu::testing
