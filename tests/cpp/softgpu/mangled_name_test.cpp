#include "softgpu/mangled_name.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace softgpu {
namespace {

TEST(MangledName, ReadsAndWritesNamesOfOpenclFunctions) {
  for (const char* text : {
           "_Z3foov",
           "_Z3fooiDhDv8_DhS_f",
           "_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f",
           "_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv8_sDv8_iS0_",
           "_Z42intel_sub_group_2d_block_read_16b_16r16x1cPU3AS1viiiDv2_iPt",
           "_Z3barPU3AS1KvPKvPU3AS4fPfS4_",
           "_Z3bazPDv4_fS_S0_",
       }) {
    const auto name = MangledName::parse(text);
    ASSERT_TRUE(name.has_value()) << text;
    EXPECT_EQ(name->mangle(), text);
  }
}

TEST(MangledName, ResolvesSubstitutions) {
  const auto name = MangledName::parse("_Z1fDv8_sPU3AS1vS_S2_S1_");
  ASSERT_FALSE(name.has_value());  // S1_ is the pointer's pointee only by a wrong count.
  const auto good = MangledName::parse("_Z1fDv8_sPU3AS1vS_S1_");
  ASSERT_TRUE(good.has_value());
  ASSERT_EQ(good->parameters.size(), 4U);
  EXPECT_EQ(good->parameters[2], good->parameters[0]);
  EXPECT_EQ(good->parameters[3], good->parameters[1]);
}

TEST(MangledName, SpellsTypesInOpenclC) {
  EXPECT_EQ(spell({Scalar::kShort, 8, false, false, 0}), "short8");
  EXPECT_EQ(spell({Scalar::kHalf, 1, false, false, 0}), "half");
  EXPECT_EQ(spell({Scalar::kVoid, 1, true, false, 1}), "__global void*");
  EXPECT_EQ(spell({Scalar::kUint, 1, true, true, 0}), "__private const uint*");
}

TEST(MangledName, RefusesOtherText) {
  for (const char* text : {"", "_Z", "_Z0", "_Z3fo", "foo", "_Z3foo!", "_Z3fooDv_i", "_Z3fooDv17_i",
                           "_Z3fooDv99999999999999_i", "_Z3fooS_", "_Z3fooSZZZZZZZZZZ_",
                           "_Z3fooPPi", "_Z3fooP", "_Z3fooPU3ASv"}) {
    EXPECT_FALSE(MangledName::parse(text).has_value()) << text;
  }
}

TEST(MangledName, AnyTextIsSafe) {
  const std::string alphabet = "_ZDvhsitjfPUKSA01289k";
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    std::string text = "_Z1f";
    const std::size_t length = random() % 30;
    for (std::size_t c = 0; c < length; ++c) text += alphabet[random() % alphabet.size()];
    const auto name = MangledName::parse(text);
    if (!name) continue;
    const auto again = MangledName::parse(name->mangle());
    ASSERT_TRUE(again.has_value()) << text;
    EXPECT_EQ(again->parameters, name->parameters) << text;
  }
}

}  // namespace
}  // namespace softgpu
