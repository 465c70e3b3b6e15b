#include "support/spirv_module.h"

#include <cstddef>

namespace proton_xpu::testing {
namespace {

// Numbers from the SPIR-V specification, sections "Magic Number" and "Instructions".
constexpr std::uint32_t kMagic = 0x07230203;
constexpr std::uint32_t kSpirvVersion = 0x00010000;

enum Opcode : std::uint32_t {
  kOpMemoryModel = 14,
  kOpEntryPoint = 15,
  kOpCapability = 17,
  kOpTypeVoid = 19,
  kOpTypeFunction = 33,
  kOpFunction = 54,
  kOpFunctionEnd = 56,
  kOpLabel = 248,
  kOpReturn = 253
};

constexpr std::uint32_t kCapabilityAddresses = 4;
constexpr std::uint32_t kCapabilityKernel = 6;
constexpr std::uint32_t kPhysical64 = 2;
constexpr std::uint32_t kOpenCL = 2;
constexpr std::uint32_t kExecutionModelKernel = 6;
constexpr std::uint32_t kFunctionControlNone = 0;

/// Zero-terminated, packed into words, the first character in the lowest byte.
std::vector<std::uint32_t> pack(const std::string& text) {
  std::vector<std::uint32_t> words(text.size() / 4 + 1, 0);
  for (std::size_t i = 0; i < text.size(); ++i) {
    words[i / 4] |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])) << (i % 4 * 8);
  }
  return words;
}

void append(std::vector<std::uint32_t>& module, Opcode opcode,
            const std::vector<std::uint32_t>& operands = {}) {
  module.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16 | opcode);
  module.insert(module.end(), operands.begin(), operands.end());
}

}  // namespace

std::vector<std::uint32_t> make_empty_kernels(const std::vector<std::string>& names) {
  const auto count = static_cast<std::uint32_t>(names.size());
  const std::uint32_t void_type = 1;
  const std::uint32_t function_type = 2;
  const std::uint32_t first_function = 3;
  const std::uint32_t first_label = first_function + count;
  const std::uint32_t bound = first_label + count;

  std::vector<std::uint32_t> module{kMagic, kSpirvVersion, 0, bound, 0};
  append(module, kOpCapability, {kCapabilityAddresses});
  append(module, kOpCapability, {kCapabilityKernel});
  append(module, kOpMemoryModel, {kPhysical64, kOpenCL});
  for (std::uint32_t i = 0; i < count; ++i) {
    std::vector<std::uint32_t> operands{kExecutionModelKernel, first_function + i};
    const std::vector<std::uint32_t> name = pack(names[i]);
    operands.insert(operands.end(), name.begin(), name.end());
    append(module, kOpEntryPoint, operands);
  }
  append(module, kOpTypeVoid, {void_type});
  append(module, kOpTypeFunction, {function_type, void_type});
  for (std::uint32_t i = 0; i < count; ++i) {
    append(module, kOpFunction,
           {void_type, first_function + i, kFunctionControlNone, function_type});
    append(module, kOpLabel, {first_label + i});
    append(module, kOpReturn);
    append(module, kOpFunctionEnd);
  }
  return module;
}

}  // namespace proton_xpu::testing
