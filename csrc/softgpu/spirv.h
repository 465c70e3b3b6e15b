// Reading SPIR-V as far as a driver must, and rewriting it so that the OpenCL CPU runtime takes it.
// The rules are about instructions, never about a particular kernel, and hold for hostile input:
// every length and id is checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "softgpu/program.h"

namespace softgpu {

struct SpirvModule {
  std::vector<std::uint32_t> words;  ///< Rewritten for the CPU runtime.
  std::vector<KernelInfo> kernels;   ///< Without the memory sizes, which only a compiler knows.
  std::vector<std::string> imports;  ///< Linkage names that must come from elsewhere.
  std::vector<std::string> exports;
  std::unordered_map<std::uint32_t, std::size_t> specialization_bytes;  ///< Size by constant id.
};

/// Reads and rewrites one module:
///  - attributes of kernels that mean something to a GPU compiler only are dropped;
///  - names lose characters that the runtime cannot have in names of functions;
///  - split barriers become one full barrier, at their second half;
///  - matrix multiply and 2D block instructions become calls of the imported OpenCL functions of
///    the same meaning (see builtins.h).
/// On failure returns nothing and sets `error` to a sentence.
std::optional<SpirvModule> read_spirv(const std::uint8_t* data, std::size_t size,
                                      std::string& error);

}  // namespace softgpu
