#include "softgpu/builtins.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "opencl_harness.h"
#include "softgpu/mangled_name.h"

namespace softgpu {
namespace {

std::uint32_t float_bits(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

float bits_float(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// IEEE binary16 to double, by the definition of the format.
double half_value(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double fraction = (bits & 1023) / 1024.0;
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

/// Random bit patterns of small finite numbers.
std::uint32_t random_element(std::mt19937& random, const std::string& element) {
  std::uniform_real_distribution<float> reals(-2, 2);
  if (element == "tf32") return float_bits(reals(random));
  if (element == "bf16") return float_bits(reals(random)) >> 16;
  if (element == "f16") {
    const std::uint32_t bits = random();
    return (bits & 0x83ff) | (8 + bits % 9) << 10;  // Exponents from -7 to 1.
  }
  return random();
}

double element_value(const std::string& element, std::uint32_t bits) {
  if (element == "tf32") return bits_float(bits & 0xffffe000U);
  if (element == "bf16") return bits_float(bits << 16);
  if (element == "f16") return half_value(bits);
  const int width = element[1] - '0';
  const std::uint32_t mask = (1U << width) - 1;
  const auto value = static_cast<int>(bits & mask);
  return element[0] == 'i' && (value >> (width - 1)) != 0 ? value - (1 << width) : value;
}

std::uint32_t element_bits(const std::string& element) {
  if (element == "tf32") return 32;
  if (element == "bf16" || element == "f16") return 16;
  return static_cast<std::uint32_t>(element[1] - '0');
}

/// Packed elements in memory, the first in the lowest bits.
class Packed {
 public:
  Packed(std::uint32_t bits, std::size_t count)
      : bits_(bits), bytes_((bits * count + 7) / 8 + 64) {}
  void set(std::size_t index, std::uint32_t value) {
    for (std::uint32_t bit = 0; bit < bits_; ++bit) {
      const std::size_t at = index * bits_ + bit;
      if ((value >> bit & 1) != 0) bytes_[at / 8] |= static_cast<std::uint8_t>(1 << at % 8);
    }
  }
  std::uint8_t* data() { return bytes_.data(); }

 private:
  std::uint32_t bits_;
  std::vector<std::uint8_t> bytes_;
};

struct MadCase {
  std::string a;
  std::string b;
  Scalar accumulator;
  std::uint32_t rows;
  std::uint32_t lanes;

  std::uint32_t depth() const { return a == "tf32" ? 8 : 256 / element_bits(a); }
  std::uint32_t columns() const { return lanes == 8 ? 8 : 16; }

  ParameterType register_type(Scalar scalar, std::uint32_t words) const {
    return {scalar, (words + lanes - 1) / lanes, false, false, 0};
  }
  MangledName name() const {
    const bool narrow_a = a != "tf32" && lanes != 8;
    const Scalar a_scalar = a == "tf32" ? Scalar::kFloat : narrow_a ? Scalar::kShort : Scalar::kInt;
    const std::uint32_t a_words = rows * depth() * element_bits(a) / scalar_bits(a_scalar);
    const Scalar b_scalar = a == "tf32" ? Scalar::kFloat : Scalar::kInt;
    const std::uint32_t b_words = depth() * columns() * element_bits(b) / 32;
    return {"intel_sub_group_" + a + "_" + b + "_matrix_mad_k" + std::to_string(depth()),
            {register_type(a_scalar, a_words), register_type(b_scalar, b_words),
             register_type(accumulator, rows * columns())}};
  }
};

/// A kernel that loads registers from memory, register by register, calls the function and stores.
std::string mad_kernel(const std::string& kernel, const MadCase& c) {
  const MangledName name = c.name();
  const auto load = [&](std::size_t parameter) {
    const ParameterType& type = name.parameters[parameter];
    std::string text = "(" + spell(type) + ")(";
    for (std::uint32_t i = 0; i < type.vector_length; ++i) {
      text += (i > 0 ? ", p" : "p") + std::to_string(parameter) + "[" +
              std::to_string(i * c.lanes) + " + l]";
    }
    return text + ")";
  };
  std::string text = "__attribute__((intel_reqd_sub_group_size(" + std::to_string(c.lanes) +
                     "))) kernel void " + kernel + "(";
  for (std::size_t i = 0; i < 3; ++i) {
    text += std::string("global ") + scalar_keyword(name.parameters[i].scalar) + "* p" +
            std::to_string(i) + ", ";
  }
  const ParameterType& result = name.parameters[2];
  const std::string scalar = scalar_keyword(result.scalar);
  text += "global " + scalar + "* out) {\n  const uint l = get_sub_group_local_id();\n  const " +
          spell(result) + " d = " + name.base + "(" + load(0) + ", " + load(1) + ", " + load(2) +
          ");\n";
  for (std::uint32_t i = 0; i < result.vector_length; ++i) {
    text += "  out[" + std::to_string(i * c.lanes) + " + l] = " +
            (result.vector_length == 1 ? "d" : "d.s" + std::string(1, "0123456789abcdef"[i])) +
            ";\n";
  }
  return text + "}\n";
}

void check_mad(OpenclHarness& harness, const std::string& kernel, const MadCase& c,
               std::mt19937& random) {
  const std::uint32_t depth = c.depth();
  const std::uint32_t columns = c.columns();
  const std::uint32_t per_b = 32 / element_bits(c.b);
  const bool integer = c.accumulator == Scalar::kInt;
  const std::uint32_t c_bits = scalar_bits(c.accumulator);
  std::vector<double> a_values(c.rows * depth);
  std::vector<double> b_values(depth * columns);
  std::vector<double> c_values(c.rows * columns);
  Packed a(element_bits(c.a), a_values.size() + 64 * c.lanes);
  Packed b(element_bits(c.b), b_values.size());
  Packed acc(c_bits, c_values.size() + c.lanes);
  for (std::size_t i = 0; i < a_values.size(); ++i) {
    const std::uint32_t bits = random_element(random, c.a);
    a.set(i, bits);
    a_values[i] = element_value(c.a, bits);
  }
  for (std::uint32_t k = 0; k < depth; ++k) {
    for (std::uint32_t n = 0; n < columns; ++n) {
      const std::uint32_t bits = random_element(random, c.b);
      b.set((k / per_b * columns + n) * per_b + k % per_b, bits);
      b_values[k * columns + n] = element_value(c.b, bits);
    }
  }
  const std::string c_element = integer ? "i8" : c.accumulator == Scalar::kFloat ? "tf32" : c.a;
  for (std::size_t i = 0; i < c_values.size(); ++i) {
    std::uint32_t bits = random_element(random, c_element);
    if (integer) bits = ((bits & 0xFFU) ^ 0x80U) - 0x80U;  // The byte with its sign.
    acc.set(i, bits);
    c_values[i] = integer        ? static_cast<double>(static_cast<std::int32_t>(bits))
                  : c_bits == 32 ? static_cast<double>(bits_float(bits))
                                 : element_value(c.a, bits);
  }
  std::vector<std::uint8_t> out((c_values.size() + c.lanes) * c_bits / 8 + 64);
  harness.run(kernel, c.lanes, a.data(), b.data(), acc.data(), out.data());
  for (std::uint32_t m = 0; m < c.rows; ++m) {
    for (std::uint32_t n = 0; n < columns; ++n) {
      double want = c_values[m * columns + n];
      double magnitude = std::abs(want);
      for (std::uint32_t k = 0; k < depth; ++k) {
        const double product = a_values[m * depth + k] * b_values[k * columns + n];
        want += product;
        magnitude += std::abs(product);
      }
      std::uint32_t bits = 0;
      std::memcpy(&bits, &out[(m * columns + n) * c_bits / 8], c_bits / 8);
      const double got = integer        ? static_cast<std::int32_t>(bits)
                         : c_bits == 32 ? static_cast<double>(bits_float(bits))
                                        : element_value(c.a, bits);
      // Rounding of each sum, then of the result to its own format.
      const double epsilon = c_bits == 32 ? 0 : c.accumulator == Scalar::kHalf ? 0x1p-11 : 0x1p-8;
      const double tolerance = integer ? 0 : magnitude * depth * 0x1p-24 + std::abs(want) * epsilon;
      ASSERT_NEAR(got, want, tolerance)
          << c.name().mangle() << " lanes " << c.lanes << " at " << m << ", " << n;
    }
  }
}

std::vector<MadCase> mad_cases(std::uint32_t lanes) {
  std::vector<MadCase> cases;
  for (const std::uint32_t rows : {1U, 2U, 4U, 8U}) {
    if (lanes == 32 && rows == 1) continue;  // A register of 32 lanes holds two rows.
    for (const char* a : {"i8", "u8"}) {
      for (const char* b : {"i8", "u8"}) cases.push_back({a, b, Scalar::kInt, rows, lanes});
    }
    cases.push_back({"i4", "i4", Scalar::kInt, rows, lanes});
    cases.push_back({"i4", "u4", Scalar::kInt, rows, lanes});
    cases.push_back({"f16", "f16", Scalar::kFloat, rows, lanes});
    cases.push_back({"f16", "f16", Scalar::kHalf, rows, lanes});
    cases.push_back({"bf16", "bf16", Scalar::kFloat, rows, lanes});
    cases.push_back({"bf16", "bf16", Scalar::kShort, rows, lanes});
    cases.push_back({"tf32", "tf32", Scalar::kFloat, rows, lanes});
  }
  return cases;
}

class MatrixMad : public testing::TestWithParam<std::uint32_t> {};

TEST_P(MatrixMad, EveryShapeEqualsAPlainMultiplication) {
  const auto cases = mad_cases(GetParam());
  std::string source(builtin_prologue());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto definition = builtin_definition(cases[i].name().mangle(), GetParam());
    ASSERT_TRUE(definition.has_value()) << cases[i].name().mangle();
    source += *definition + mad_kernel("k" + std::to_string(i), cases[i]);
  }
  OpenclHarness harness(source);
  std::mt19937 random(1);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    check_mad(harness, "k" + std::to_string(i), cases[i], random);
  }
}

INSTANTIATE_TEST_SUITE_P(Lanes, MatrixMad, testing::Values(8, 16, 32));

struct BlockCase {
  std::string kind;
  std::uint32_t bits;
  std::uint32_t rows;
  std::uint32_t columns;
  std::uint32_t blocks;
  Scalar word;
  std::uint32_t lanes;

  std::uint32_t per_word() const { return scalar_bits(word) / bits; }

  /// Words that one block takes in registers, whole registers.
  std::uint32_t words() const {
    std::uint32_t height = rows;
    if (kind == "read_transform") height = (rows + per_word() - 1) / per_word() * per_word();
    if (kind == "read_transpose") {
      while ((height & (height - 1)) != 0) ++height;
    }
    const std::uint32_t count = (height * columns + per_word() - 1) / per_word();
    return (count + lanes - 1) / lanes * lanes;
  }

  /// Where an element of a block is in its registers, counted in elements.
  std::uint32_t place(std::uint32_t row, std::uint32_t column) const {
    if (kind == "read_transform") {
      return (row / per_word() * columns + column) * per_word() + row % per_word();
    }
    if (kind == "read_transpose") {
      std::uint32_t height = rows;
      while ((height & (height - 1)) != 0) ++height;
      return column * height + row;
    }
    return row * columns + column;
  }

  MangledName name() const {
    return {"intel_sub_group_2d_block_" + kind + "_" + std::to_string(bits) + "b_" +
                std::to_string(rows) + "r" + std::to_string(columns) + "x" +
                std::to_string(blocks) + "c",
            {{Scalar::kVoid, 1, true, false, 1},
             {Scalar::kInt, 1, false, false, 0},
             {Scalar::kInt, 1, false, false, 0},
             {Scalar::kInt, 1, false, false, 0},
             {Scalar::kInt, 2, false, false, 0},
             {word, 1, true, false, 0}}};
  }

  std::string kernel(const std::string& kernel_name) const {
    const std::string count = std::to_string(words() * blocks / lanes);
    const std::string lane_count = std::to_string(lanes);
    const std::string type = scalar_keyword(word);
    const std::string call = "  " + name().base + "(base, w, h, pitch, (int2)(x, y), registers);\n";
    const std::string loop = "  for (uint i = 0; i < " + count + "; ++i) ";
    const std::string memory = "image[i * " + lane_count + " + get_sub_group_local_id()]";
    const bool write = kind == "write";
    return "__attribute__((intel_reqd_sub_group_size(" + lane_count + "))) kernel void " +
           kernel_name + "(global void* base, int w, int h, int pitch, int x, int y, global " +
           type + "* image) {\n  " + type + " registers[" + count + "];\n" +
           (write ? loop + "registers[i] = " + memory + ";\n" + call
                  : call + loop + memory + " = registers[i];\n") +
           "}\n";
  }
};

std::vector<BlockCase> all_block_cases(std::uint32_t lanes) {
  std::vector<BlockCase> cases;
  const auto word = [](std::uint32_t bits) {
    return bits == 8    ? Scalar::kUchar
           : bits == 16 ? Scalar::kUshort
           : bits == 32 ? Scalar::kUint
                        : Scalar::kUlong;
  };
  for (const std::uint32_t rows : {1U, 2U, 4U, 8U, 16U, 32U}) {
    for (const char* kind : {"read", "write"}) {
      const std::uint32_t most = std::string(kind) == "write" ? 8 : 32;
      if (rows > most) continue;
      for (const std::uint32_t blocks : {1U, 2U, 4U}) {
        if (std::string(kind) == "write" && blocks > 1) continue;
        cases.push_back({kind, 8, rows, 16, blocks, Scalar::kUchar, lanes});
        cases.push_back({kind, 8, rows, 32, blocks, Scalar::kUshort, lanes});
        cases.push_back({kind, 16, rows, 16, blocks, Scalar::kUshort, lanes});
        if (blocks <= 2) cases.push_back({kind, 16, rows, 32, blocks, Scalar::kUint, lanes});
        if (blocks <= 2) cases.push_back({kind, 32, rows, 8, blocks, Scalar::kUint, lanes});
        if (blocks <= 2) cases.push_back({kind, 32, rows, 16, blocks, Scalar::kUint, lanes});
        if (blocks == 1) cases.push_back({kind, 64, rows, 8, blocks, Scalar::kUlong, lanes});
      }
    }
    for (const std::uint32_t bits : {32U, 64U}) {
      for (const std::uint32_t columns : {1U, 2U, 4U, 8U}) {
        cases.push_back({"read_transpose", bits, rows, columns, 1, word(bits), lanes});
      }
    }
  }
  cases.push_back({"read_transpose", 32, 5, 8, 1, Scalar::kUint, lanes});
  for (const std::uint32_t blocks : {1U, 2U, 4U}) {
    cases.push_back({"read_transform", 8, 32, 16, blocks, Scalar::kUint, lanes});
    for (const std::uint32_t rows : {2U, 16U, 32U}) {
      cases.push_back({"read_transform", 16, rows, 16, blocks, Scalar::kUint, lanes});
    }
  }
  return cases;
}

/// Every third shape of 16 lanes, every fifth of 32: each takes a tenth of a second to compile, and
/// the strides meet every kind, width and height.
std::vector<BlockCase> block_cases(std::uint32_t lanes) {
  const auto all = all_block_cases(lanes);
  std::vector<BlockCase> some;
  for (std::size_t i = 0; i < all.size(); i += lanes == 16 ? 3 : 5) some.push_back(all[i]);
  return some;
}

void check_block(OpenclHarness& harness, const std::string& kernel, const BlockCase& c,
                 std::mt19937& random) {
  const std::uint32_t bytes = c.bits / 8;
  const int matrix_columns = 20 + static_cast<int>(random() % 60);
  const int matrix_rows = 10 + static_cast<int>(random() % 40);
  const int width = matrix_columns * static_cast<int>(bytes);
  const int pitch = width + static_cast<int>(bytes * (random() % 8));
  const int x = static_cast<int>(random() % 60) - 10;
  const int y = static_cast<int>(random() % 40) - 8;
  std::vector<std::uint8_t> memory(static_cast<std::size_t>(matrix_rows * pitch));
  for (auto& byte : memory) byte = static_cast<std::uint8_t>(random());
  std::vector<std::uint8_t> image(c.words() * c.blocks * scalar_bits(c.word) / 8);
  if (c.kind == "write") {
    for (auto& byte : image) byte = static_cast<std::uint8_t>(random());
  }
  std::vector<std::uint8_t> want_memory = memory;
  std::vector<std::uint8_t> want_image(image.size());
  for (std::uint32_t block = 0; block < c.blocks; ++block) {
    for (std::uint32_t row = 0; row < c.rows; ++row) {
      for (std::uint32_t column = 0; column < c.columns; ++column) {
        const int at_x = x + static_cast<int>(block * c.columns + column);
        const int at_y = y + static_cast<int>(row);
        if (at_x < 0 || at_x >= matrix_columns || at_y < 0 || at_y >= matrix_rows) continue;
        const std::size_t in_memory =
            static_cast<std::size_t>(at_y) * static_cast<std::size_t>(pitch) +
            static_cast<std::size_t>(at_x) * bytes;
        const std::size_t in_image =
            (block * c.words() * c.per_word() + c.place(row, column)) * bytes;
        if (c.kind == "write") {
          std::memcpy(&want_memory[in_memory], &image[in_image], bytes);
        } else {
          std::memcpy(&want_image[in_image], &memory[in_memory], bytes);
        }
      }
    }
  }
  harness.run(kernel, c.lanes, memory.data(), width, matrix_rows, pitch, x, y, image.data());
  EXPECT_EQ(memory, want_memory) << c.name().base << " lanes " << c.lanes;
  if (c.kind == "write") return;
  EXPECT_EQ(image, want_image) << c.name().base << " lanes " << c.lanes;
}

class BlockAccess : public testing::TestWithParam<std::uint32_t> {};

TEST_P(BlockAccess, EveryShapeMovesEachElementToItsPlace) {
  const auto cases = block_cases(GetParam());
  std::string source(builtin_prologue());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto definition = builtin_definition(cases[i].name().mangle(), GetParam());
    ASSERT_TRUE(definition.has_value()) << cases[i].name().mangle();
    source += *definition + cases[i].kernel("k" + std::to_string(i));
  }
  OpenclHarness harness(source);
  std::mt19937 random(2);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (int repeat = 0; repeat < 5; ++repeat) {
      check_block(harness, "k" + std::to_string(i), cases[i], random);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Lanes, BlockAccess, testing::Values(16, 32));

TEST(Builtins, PrefetchDoesNothing) {
  const auto definition =
      builtin_definition("_Z45intel_sub_group_2d_block_prefetch_16b_8r16x2cPU3AS1viiiDv2_i", 16);
  ASSERT_TRUE(definition.has_value());
  EXPECT_NE(definition->find("intel_sub_group_2d_block_prefetch_16b_8r16x2c(__global void* base"),
            std::string::npos);
  EXPECT_NE(definition->find("{}"), std::string::npos);
}

TEST(Builtins, RefusesWhatItDoesNotKnow) {
  EXPECT_TRUE(
      builtin_definition("_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt", 16)
          .has_value());
  for (const char* name : {
           "",
           "_Z",
           "printf",
           "_Z3fooi",
           "_Z999999999999999999999999f",
           // Shapes that do not fit their registers.
           "_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv4_iDv8_f",
           "_Z38intel_sub_group_f16_f16_matrix_mad_k15Dv8_sDv8_iDv8_f",
           "_Z37intel_sub_group_f16_i8_matrix_mad_k16Dv8_sDv8_iDv8_f",
           "_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_i",
           "_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_i",
           // Blocks of no size or of a wrong one.
           "_Z41intel_sub_group_2d_block_read_16b_0r16x1cPU3AS1viiiDv2_iPt",
           "_Z42intel_sub_group_2d_block_read_16b_99r16x1cPU3AS1viiiDv2_iPt",
           "_Z41intel_sub_group_2d_block_read_12b_8r16x1cPU3AS1viiiDv2_iPt",
           "_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPh",
           "_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_i",
           "_Z41intel_sub_group_2d_block_read_16b_8r16x1cPtiiiDv2_iPt",
       }) {
    EXPECT_FALSE(builtin_definition(name, 16).has_value()) << name;
  }
  EXPECT_FALSE(
      builtin_definition("_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt", 7)
          .has_value());
}

}  // namespace
}  // namespace softgpu
