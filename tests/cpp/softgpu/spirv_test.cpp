#include "softgpu/spirv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "spirv_assembler.h"

namespace softgpu {
namespace {

std::optional<SpirvModule> read(const std::vector<std::uint32_t>& words, std::string& error) {
  return read_spirv(reinterpret_cast<const std::uint8_t*>(words.data()), words.size() * 4, error);
}

SpirvModule read_valid(const std::vector<std::uint32_t>& words) {
  std::string error;
  auto module = read(words, error);
  EXPECT_TRUE(module.has_value()) << error;
  return module.value_or(SpirvModule{});
}

/// The instructions of a module with an opcode.
std::vector<std::vector<std::uint32_t>> instructions(const std::vector<std::uint32_t>& words,
                                                     std::uint32_t op) {
  std::vector<std::vector<std::uint32_t>> found;
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16) {
    if ((words[at] & 0xffff) == op) {
      found.emplace_back(&words[at] + 1, &words[at] + (words[at] >> 16));
    }
  }
  return found;
}

/// A kernel with one parameter of each kind.
std::vector<std::uint32_t> kernel_with_all_parameters() {
  SpirvAssembler as;
  begin_kernel_module(as);
  as.emit(spv::kMemoryModel, {2, 2});
  const std::uint32_t kernel = as.id();
  as.emit_with_string(spv::kEntryPoint, {6, kernel}, "all", {});
  as.emit(spv::kExecutionMode, {kernel, 17, 8, 4, 2});  // LocalSize
  as.emit(spv::kExecutionMode, {kernel, 35, 32});       // SubgroupSize
  const std::uint32_t void_type = as.type(spv::kTypeVoid, {});
  const std::uint32_t int32 = as.type(spv::kTypeInt, {32, 0});
  const std::uint32_t float64 = as.type(spv::kTypeFloat, {64});
  const std::uint32_t structure = as.type(spv::kTypeStruct, {int32, int32});
  const std::uint32_t global = as.type(spv::kTypePointer, {5, int32});
  const std::uint32_t constant = as.type(spv::kTypePointer, {0, int32});
  const std::uint32_t local = as.type(spv::kTypePointer, {4, int32});
  const std::uint32_t by_value = as.type(spv::kTypePointer, {7, structure});
  const std::uint32_t function =
      as.type(spv::kTypeFunction, {void_type, int32, global, constant, local, by_value, float64});
  as.emit(spv::kFunction, {void_type, kernel, 0, function});
  for (const std::uint32_t type : {int32, global, constant, local, by_value, float64}) {
    as.value(spv::kFunctionParameter, type, {});
  }
  as.type(spv::kLabel, {});
  as.emit(spv::kReturn, {});
  as.emit(spv::kFunctionEnd, {});
  return as.finish();
}

TEST(Spirv, ReadsKernelsFromTheirDeclaration) {
  const SpirvModule module = read_valid(kernel_with_all_parameters());
  ASSERT_EQ(module.kernels.size(), 1U);
  const KernelInfo& kernel = module.kernels[0];
  EXPECT_EQ(kernel.name, "all");
  EXPECT_EQ(kernel.arguments,
            (std::vector<ArgumentKind>{ArgumentKind::kValue, ArgumentKind::kPointer,
                                       ArgumentKind::kPointer, ArgumentKind::kLocalMemory,
                                       ArgumentKind::kValue, ArgumentKind::kValue}));
  EXPECT_EQ(kernel.required_group_size, (std::array<std::uint32_t, 3>{8, 4, 2}));
  EXPECT_EQ(kernel.required_subgroup_size, 32U);
  EXPECT_TRUE(module.imports.empty());
}

TEST(Spirv, LeavesAPlainModuleAsItIs) {
  const auto words = kernel_with_all_parameters();
  EXPECT_EQ(read_valid(words).words, words);
}

TEST(Spirv, TakesTheOtherByteOrder) {
  auto words = kernel_with_all_parameters();
  const auto plain = words;
  for (auto& word : words) word = __builtin_bswap32(word);
  EXPECT_EQ(read_valid(words).words, plain);
}

TEST(Spirv, DropsWhatOnlyAGpuCompilerUnderstands) {
  SpirvAssembler as(0x00010600);
  begin_kernel_module(as);
  as.emit(spv::kCapability, {5892});
  as.emit(spv::kCapability, {6228});
  as.emit_with_string(spv::kExtension, {}, "SPV_INTEL_kernel_attributes", {});
  as.emit_with_string(spv::kExtension, {}, "SPV_INTEL_cache_controls", {});
  as.emit(spv::kMemoryModel, {2, 2});
  const std::uint32_t kernel = as.id();
  as.emit_with_string(spv::kEntryPoint, {6, kernel}, "k", {});
  as.emit(spv::kExecutionMode, {kernel, 5893, 128, 1, 1});
  as.emit(spv::kExecutionMode, {kernel, 6461, 256});
  as.emit(spv::kExecutionMode, {kernel, 35, 16});
  const SpirvModule module = read_valid(as.finish());
  EXPECT_EQ(module.words[1], 0x00010400U);
  EXPECT_EQ(instructions(module.words, spv::kCapability).size(), 4U);
  EXPECT_EQ(instructions(module.words, spv::kExtension).size(), 1U);
  const auto modes = instructions(module.words, spv::kExecutionMode);
  ASSERT_EQ(modes.size(), 1U);
  EXPECT_EQ(modes[0][1], 35U);
}

TEST(Spirv, FindsLinkageAndSpecializationConstants) {
  SpirvAssembler as;
  begin_kernel_module(as);
  as.emit(spv::kMemoryModel, {2, 2});
  const std::uint32_t in = as.id();
  const std::uint32_t out = as.id();
  const std::uint32_t small = as.id();
  const std::uint32_t large = as.id();
  as.emit_with_string(spv::kDecorate, {in, 41}, "needed", {1});
  as.emit_with_string(spv::kDecorate, {out, 41}, "offered", {0});
  as.emit(spv::kDecorate, {small, 1, 10});
  as.emit(spv::kDecorate, {large, 1, 11});
  const std::uint32_t int16 = as.type(spv::kTypeInt, {16, 0});
  const std::uint32_t float64 = as.type(spv::kTypeFloat, {64});
  as.emit(spv::kSpecConstant, {int16, small, 1});
  as.emit(spv::kSpecConstant, {float64, large, 0, 0});
  const SpirvModule module = read_valid(as.finish());
  EXPECT_EQ(module.imports, std::vector<std::string>{"needed"});
  EXPECT_EQ(module.exports, std::vector<std::string>{"offered"});
  EXPECT_EQ(module.specialization_bytes.at(10), 2U);
  EXPECT_EQ(module.specialization_bytes.at(11), 8U);
}

TEST(Spirv, NamesBecomeIdentifiers) {
  SpirvAssembler as;
  begin_kernel_module(as);
  as.emit(spv::kMemoryModel, {2, 2});
  const std::uint32_t function = as.id();
  const std::uint32_t variable = as.id();
  as.emit_with_string(5, {function}, "f__(1,)c 2", {});
  as.emit_with_string(spv::kDecorate, {function, 41}, "f__(1,)c 2", {0});
  as.emit_with_string(spv::kDecorate, {variable, 41}, "__spirv_BuiltInGlobalSize", {1});
  as.emit(spv::kDecorate, {variable, 11, 31});
  const SpirvModule module = read_valid(as.finish());
  EXPECT_EQ(module.exports, std::vector<std::string>{"f___1__c_2"});
  EXPECT_TRUE(module.imports.empty());  // A built-in variable is the runtime's to provide.
  const auto names = instructions(module.words, 5);
  ASSERT_EQ(names.size(), 1U);
  EXPECT_STREQ(reinterpret_cast<const char*>(&names[0][1]), "f___1__c_2");
}

TEST(Spirv, ASplitBarrierBecomesOneAtItsEnd) {
  SpirvAssembler as;
  begin_kernel_module(as);
  as.emit(spv::kCapability, {6141});
  as.emit_with_string(spv::kExtension, {}, "SPV_INTEL_split_barrier", {});
  as.emit(6142, {1, 2, 3});
  as.emit(6143, {4, 5, 6});
  const SpirvModule module = read_valid(as.finish());
  EXPECT_TRUE(instructions(module.words, 6142).empty());
  EXPECT_TRUE(instructions(module.words, 6143).empty());
  EXPECT_EQ(instructions(module.words, spv::kControlBarrier),
            (std::vector<std::vector<std::uint32_t>>{{4, 5, 6}}));
}

TEST(Spirv, MatrixAndBlockInstructionsBecomeCalls) {
  const SpirvModule module = read_valid(gpu_instruction_module(2));
  EXPECT_EQ(module.imports,
            (std::vector<std::string>{
                "_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f",
                "_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt",
                "_Z42intel_sub_group_2d_block_write_16b_8r16x1cPU3AS1viiiDv2_iPt",
                "_Z45intel_sub_group_2d_block_prefetch_16b_8r16x1cPU3AS1viiiDv2_i"}));
  for (std::uint32_t op = 6231; op <= 6237; ++op) {
    EXPECT_TRUE(instructions(module.words, op).empty()) << op;
  }
  const auto calls = instructions(module.words, spv::kFunctionCall);
  ASSERT_EQ(calls.size(), 4U);
  // The write takes the memory first and its registers last, as the function does.
  EXPECT_EQ(calls[2][3], calls[1][3]);
  EXPECT_EQ(calls[2].back(), calls[1].back());
  // Four declarations in front of the kernel, ids below the bound, Linkage declared.
  EXPECT_EQ(instructions(module.words, spv::kFunction).size(), 5U);
  EXPECT_EQ(instructions(module.words, spv::kDecorate).size(), 4U);
  EXPECT_EQ(instructions(module.words, spv::kCapability)[0][0], 5U);
  for (const auto& call : calls) EXPECT_LT(call[1], module.words[3]);
}

TEST(Spirv, SaysWhatIsWrongWithAGpuInstruction) {
  std::string error;
  EXPECT_FALSE(read(gpu_instruction_module(100), error).has_value());
  EXPECT_EQ(error, "a 2D block instruction needs constant sizes between 1 and 64");
}

TEST(Spirv, RefusesWhatIsNoModule) {
  std::string error;
  EXPECT_FALSE(read_spirv(nullptr, 100, error).has_value());
  const auto words = kernel_with_all_parameters();
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(words.data());
  EXPECT_FALSE(read_spirv(bytes, 19, error).has_value());
  EXPECT_EQ(error, "the module is not SPIR-V: 19 bytes are no SPIR-V words");
  EXPECT_FALSE(read_spirv(bytes, words.size() * 4 - 1, error).has_value());
  auto damaged = words;
  damaged.back() += 1U << 16;  // The last instruction reaches beyond the end.
  EXPECT_FALSE(read(damaged, error).has_value());
  EXPECT_EQ(error, "the SPIR-V is damaged: an instruction at word " +
                       std::to_string(words.size() - 1) + " has a wrong length");
}

TEST(Spirv, NoMutationOfAModuleCrashes) {
  std::mt19937 random(4);
  for (const auto& seed :
       {kernel_with_all_parameters(), gpu_instruction_module(2), add_constant_module()}) {
    for (int i = 0; i < 20000; ++i) {
      auto words = seed;
      const std::size_t changes = 1 + random() % 4;
      for (std::size_t c = 0; c < changes; ++c) {
        std::uint32_t& word = words[random() % words.size()];
        switch (random() % 4) {
          case 0:
            word = random();
            break;
          case 1:
            word ^= 1U << random() % 32;
            break;
          case 2:
            word = words[random() % words.size()];
            break;
          default:
            words.resize(words.size() - random() % (words.size() / 2));
            break;
        }
      }
      std::string error;
      const auto module = read(words, error);
      EXPECT_NE(module.has_value(), !error.empty());
    }
  }
}

}  // namespace
}  // namespace softgpu
