#include "softgpu/builtins.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "softgpu/mangled_name.h"

namespace softgpu {
namespace {

/// Replaces each @name@ in `text` by its value.
class Template {
 public:
  Template& set(const std::string& name, std::string value) {
    values_.emplace_back("@" + name + "@", std::move(value));
    return *this;
  }
  Template& set(const std::string& name, std::uint32_t value) {
    return set(name, std::to_string(value));
  }
  std::string fill(std::string text) const {
    for (const auto& value : values_) {
      for (std::size_t at = text.find(value.first); at != std::string::npos;
           at = text.find(value.first, at + value.second.size())) {
        text.replace(at, value.first.size(), value.second);
      }
    }
    return text;
  }

 private:
  std::vector<std::pair<std::string, std::string>> values_;
};

/// Reads a name piece by piece.
class NameReader {
 public:
  explicit NameReader(std::string_view text) : rest_(text) {}

  bool accept(std::string_view piece) {
    if (rest_.substr(0, piece.size()) != piece) return false;
    rest_.remove_prefix(piece.size());
    return true;
  }

  /// A number from 1 to `largest`; 0 if there is none.
  std::uint32_t number(std::uint32_t largest) {
    std::uint32_t value = 0;
    while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
      value = value * 10 + static_cast<std::uint32_t>(rest_.front() - '0');
      if (value > largest) return 0;
      rest_.remove_prefix(1);
    }
    return value;
  }

  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

std::uint32_t divide_up(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }

/// "result name(type0 name0, ...)" of the function. It is kept out of line: kernels hold many
/// calls, and inlined bodies cost ten times the compile time.
std::string signature(const std::string& result, const MangledName& name,
                      std::initializer_list<const char*> parameters) {
  std::string text = "__attribute__((overloadable, noinline))\n" + result + " " + name.base + "(";
  std::size_t index = 0;
  for (const char* parameter : parameters) {
    if (index == name.parameters.size()) break;
    if (index > 0) text += ", ";
    text += spell(name.parameters[index++]) + " " + parameter;
  }
  return text + ")";
}

std::string component(const char* vector, std::uint32_t length, std::uint32_t index) {
  if (length == 1) return vector;
  return std::string(vector) + ".s" + "0123456789abcdef"[index];
}

enum class Number : std::uint8_t { kSigned, kUnsigned, kHalf, kBfloat, kTf32 };

struct Element {
  const char* name;
  Number number;
  std::uint32_t bits;  // What it takes in a register.
};

constexpr std::array<Element, 7> kElements{{{"i8", Number::kSigned, 8},
                                            {"u8", Number::kUnsigned, 8},
                                            {"i4", Number::kSigned, 4},
                                            {"u4", Number::kUnsigned, 4},
                                            {"f16", Number::kHalf, 16},
                                            {"bf16", Number::kBfloat, 16},
                                            {"tf32", Number::kTf32, 32}}};

bool is_integer(Number number) { return number == Number::kSigned || number == Number::kUnsigned; }

std::optional<Element> read_element(NameReader& reader) {
  for (const auto& element : kElements) {
    if (reader.accept(element.name)) return element;
  }
  return std::nullopt;
}

/// The value at `position` of the elements packed into the register `word`.
std::string unpack(const Element& element, const std::string& word, std::uint32_t position) {
  const auto field = Template()
                         .set("word", word)
                         .set("shift", position * element.bits)
                         .set("left", 32 - (position + 1) * element.bits)
                         .set("right", 32 - element.bits);
  switch (element.number) {
    case Number::kSigned:
      return field.fill("((int)((uint)(@word@) << @left@) >> @right@)");
    case Number::kUnsigned:
      return field.fill("((int)((uint)(@word@) << @left@ >> @right@))");
    case Number::kHalf:
      return field.fill("convert_float(as_half((ushort)((uint)(@word@) >> @shift@)))");
    case Number::kBfloat:
      return field.fill("as_float((uint)(@word@) >> @shift@ << 16)");
    case Number::kTf32:
      return field.fill("as_float(as_uint(@word@) & 0xffffe000u)");  // 19 bits count.
  }
  return {};
}

/// A multiplication as the names of its function and types describe it. Matrices lie in registers
/// as one row-major sequence of register-wide words: word i is in register i / lanes, lane
/// i % lanes. A word of A holds neighbours of a row, a word of B neighbours of a column.
struct MatrixMad {
  Element a;
  Element b;
  std::uint32_t depth;      // K.
  std::uint32_t lanes;      // Of a sub-group.
  std::uint32_t columns;    // N.
  std::uint32_t a_per;      // Elements in a word of A.
  std::uint32_t b_per;      // And of B.
  std::uint32_t row_words;  // Words in a row of A.
  ParameterType a_type;
  ParameterType b_type;
  ParameterType c_type;
};

std::optional<MatrixMad> read_matrix_mad(const MangledName& name, std::uint32_t lanes) {
  NameReader reader(name.base);
  if (!reader.accept("intel_sub_group_")) return std::nullopt;
  const auto a = read_element(reader);
  if (!a || !reader.accept("_")) return std::nullopt;
  const auto b = read_element(reader);
  if (!b || !reader.accept("_matrix_mad_k")) return std::nullopt;
  const std::uint32_t depth = reader.number(256);
  if (depth == 0 || !reader.at_end() || name.parameters.size() != 3) return std::nullopt;

  MatrixMad mad{*a, *b, depth, lanes, std::min(lanes, 16U), 0, 0, 0, {}, {}, {}};
  mad.a_type = name.parameters[0];
  mad.b_type = name.parameters[1];
  mad.c_type = name.parameters[2];
  for (const auto& type : name.parameters) {
    if (type.is_pointer || scalar_bits(type.scalar) < 16 || scalar_bits(type.scalar) > 32) {
      return std::nullopt;
    }
  }
  mad.a_per = scalar_bits(mad.a_type.scalar) / a->bits;
  mad.b_per = scalar_bits(mad.b_type.scalar) / b->bits;
  const bool same =
      is_integer(a->number) ? is_integer(b->number) && a->bits == b->bits : a->number == b->number;
  if (!same || mad.a_per == 0 || mad.b_per == 0 || mad.b_per % mad.a_per != 0 ||
      depth % mad.b_per != 0) {
    return std::nullopt;
  }
  mad.row_words = depth / mad.a_per;
  const std::uint32_t rows = mad.c_type.vector_length * lanes / mad.columns;
  const bool fits = lanes % mad.row_words == 0 &&
                    mad.a_type.vector_length == divide_up(rows * mad.row_words, lanes) &&
                    mad.b_type.vector_length == divide_up(depth / mad.b_per * mad.columns, lanes);
  const Scalar c = mad.c_type.scalar;
  const bool accumulates =
      is_integer(a->number)
          ? c == Scalar::kInt || c == Scalar::kUint
          : c == Scalar::kFloat || (a->number == Number::kHalf && c == Scalar::kHalf) ||
                (a->number == Number::kBfloat && (c == Scalar::kShort || c == Scalar::kUshort));
  if (!fits || !accumulates) return std::nullopt;
  return mad;
}

/// The accumulator's value as float or int, and back.
std::string widen(const MatrixMad& mad, const std::string& value) {
  if (mad.c_type.scalar == Scalar::kHalf) return "convert_float(" + value + ")";
  if (scalar_bits(mad.c_type.scalar) == 16) return "as_float((uint)(ushort)(" + value + ") << 16)";
  return value;
}

std::string narrow(const MatrixMad& mad, const std::string& value) {
  if (mad.c_type.scalar == Scalar::kHalf) return "convert_half(" + value + ")";
  if (scalar_bits(mad.c_type.scalar) == 16) return "softgpu_bfloat_bits(" + value + ")";
  return value;
}

std::string matrix_mad_definition(const MangledName& name, const MatrixMad& mad) {
  const std::uint32_t results = mad.c_type.vector_length;
  const std::uint32_t groups = mad.lanes / mad.columns;  // Rows that lie side by side in C.
  std::string text = signature(spell(mad.c_type), name, {"a", "b", "c"}) + " {\n";
  const auto declare = [&](const char* array, const char* vector, const ParameterType& type) {
    text += std::string("  const ") + scalar_keyword(type.scalar) + " " + array + "[] = {";
    for (std::uint32_t i = 0; i < type.vector_length; ++i) {
      text += (i > 0 ? ", " : "") + component(vector, type.vector_length, i);
    }
    text += "};\n";
  };
  declare("words_a", "a", mad.a_type);
  declare("words_b", "b", mad.b_type);
  text += std::string("  ") + (is_integer(mad.a.number) ? "int" : "float") + " sum[] = {";
  for (std::uint32_t i = 0; i < results; ++i) {
    text += (i > 0 ? ", " : "") + widen(mad, component("c", results, i));
  }
  text += "};\n";
  const auto sizes = Template()
                         .set("columns", mad.columns)
                         .set("groups", groups)
                         .set("steps", mad.depth / mad.b_per)
                         .set("word", scalar_keyword(mad.b_type.scalar));
  if (groups > 1) {
    text += sizes.fill(
        "  const uint column = get_sub_group_local_id() % @columns@;\n"
        "  const uint group = get_sub_group_local_id() / @columns@;\n");
  }
  text += sizes.fill("  for (uint step = 0; step < @steps@; ++step) {\n");
  text += sizes.fill(groups > 1 ? "    const @word@ word_b = intel_sub_group_shuffle("
                                  "words_b[step / @groups@], "
                                  "step % @groups@ * @columns@ + column);\n"
                                : "    const @word@ word_b = words_b[step];\n");
  const std::uint32_t rows_in_register = mad.lanes / mad.row_words;
  for (std::uint32_t j = 0; j < mad.b_per; ++j) {
    const std::string factor_b = unpack(mad.b, "word_b", j);
    for (std::uint32_t r = 0; r < results; ++r) {
      const std::uint32_t row = r * groups;
      std::string lane = std::to_string(row % rows_in_register * mad.row_words + j / mad.a_per) +
                         " + step * " + std::to_string(mad.b_per / mad.a_per);
      if (groups > 1) lane += " + group * " + std::to_string(mad.row_words);
      const std::string word_a =
          std::string(groups > 1 ? "intel_sub_group_shuffle" : "sub_group_broadcast") +
          "(words_a[" + std::to_string(row / rows_in_register) + "], " + lane + ")";
      const auto product =
          Template().set("r", r).set("a", unpack(mad.a, word_a, j % mad.a_per)).set("b", factor_b);
      text += product.fill(is_integer(mad.a.number) ? "    sum[@r@] += @a@ * @b@;\n"
                                                    : "    sum[@r@] = fma(@a@, @b@, sum[@r@]);\n");
    }
  }
  text += "  }\n  return (" + spell(mad.c_type) + ")(";
  for (std::uint32_t i = 0; i < results; ++i) {
    text += (i > 0 ? ", " : "") + narrow(mad, "sum[" + std::to_string(i) + "]");
  }
  return text + ");\n}\n";
}

enum class BlockAction : std::uint8_t { kRead, kTransform, kTranspose, kWrite, kPrefetch };

struct BlockAccess {
  BlockAction action;
  std::uint32_t bits;
  std::uint32_t rows;
  std::uint32_t columns;
  std::uint32_t blocks;
};

std::optional<BlockAccess> read_block_access(const MangledName& name) {
  NameReader reader(name.base);
  if (!reader.accept("intel_sub_group_2d_block_")) return std::nullopt;
  BlockAccess access{};
  if (reader.accept("read_transform_")) {
    access.action = BlockAction::kTransform;
  } else if (reader.accept("read_transpose_")) {
    access.action = BlockAction::kTranspose;
  } else if (reader.accept("read_")) {
    access.action = BlockAction::kRead;
  } else if (reader.accept("write_")) {
    access.action = BlockAction::kWrite;
  } else if (reader.accept("prefetch_")) {
    access.action = BlockAction::kPrefetch;
  } else {
    return std::nullopt;
  }
  access.bits = reader.number(64);
  if (!reader.accept("b_")) return std::nullopt;
  access.rows = reader.number(64);
  if (!reader.accept("r")) return std::nullopt;
  access.columns = reader.number(64);
  if (!reader.accept("x")) return std::nullopt;
  access.blocks = reader.number(8);
  if (!reader.accept("c") || !reader.at_end()) return std::nullopt;
  const bool whole =
      access.bits == 8 || access.bits == 16 || access.bits == 32 || access.bits == 64;
  if (!whole || access.rows == 0 || access.columns == 0 || access.blocks == 0) return std::nullopt;

  const auto& p = name.parameters;
  const bool registers = access.action != BlockAction::kPrefetch;
  if (p.size() != (registers ? 6U : 5U)) return std::nullopt;
  if (!p[0].is_pointer || p[0].address_space != 1) return std::nullopt;
  for (std::size_t i = 1; i < 5; ++i) {
    const bool integer = p[i].scalar == Scalar::kInt || p[i].scalar == Scalar::kUint;
    if (p[i].is_pointer || !integer || p[i].vector_length != (i == 4 ? 2U : 1U)) {
      return std::nullopt;
    }
  }
  if (registers) {
    if (!p[5].is_pointer || p[5].address_space != 0 || p[5].vector_length != 1 ||
        scalar_bits(p[5].scalar) < access.bits) {
      return std::nullopt;
    }
    if (access.action == BlockAction::kTransform && scalar_bits(p[5].scalar) != 32) {
      return std::nullopt;
    }
  }
  return access;
}

std::uint32_t next_power_of_two(std::uint32_t value) {
  std::uint32_t power = 1;
  while (power < value) power *= 2;
  return power;
}

/// Each block is, in registers, one sequence of words that runs over the lanes first; a word holds
/// one element or some neighbours: of a row in general, of a column where the block is transformed.
/// Blocks start at a new register. What lies outside of the matrix reads as 0 and is not written.
std::string block_definition(const MangledName& name, const BlockAccess& access,
                             std::uint32_t lanes) {
  std::string text =
      signature("void", name, {"base", "width", "height", "pitch", "corner", "registers"});
  if (access.action == BlockAction::kPrefetch) return text + " {}\n";

  constexpr std::array<const char*, 4> kWords{"uchar", "ushort", "uint", "ulong"};
  const auto word_name = [&](std::uint32_t bits) {
    return kWords[bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3];
  };
  const std::uint32_t word_bits = scalar_bits(name.parameters[5].scalar);
  const std::uint32_t per_word = word_bits / access.bits;
  const std::uint32_t padded_rows = next_power_of_two(access.rows);
  std::uint32_t words = divide_up(access.rows * access.columns, per_word);
  std::string row = "(word * @per_word@ + j) / @columns@";
  std::string column = "(word * @per_word@ + j) % @columns@";
  if (access.action == BlockAction::kTransform) {
    words = divide_up(access.rows, per_word) * access.columns;
    row = "word / @columns@ * @per_word@ + j";
    column = "word % @columns@";
  } else if (access.action == BlockAction::kTranspose) {
    words = divide_up(padded_rows * access.columns, per_word);
    row = "(word * @per_word@ + j) % @padded_rows@";
    column = "(word * @per_word@ + j) / @padded_rows@";
  }
  const bool write = access.action == BlockAction::kWrite;
  const auto fields = Template()
                          .set("row", row)
                          .set("column", column)
                          .set("rows", access.rows)
                          .set("columns", access.columns)
                          .set("blocks", access.blocks)
                          .set("padded_rows", padded_rows)
                          .set("per_word", per_word)
                          .set("lanes", lanes)
                          .set("count", divide_up(words, lanes))
                          .set("bits", access.bits)
                          .set("bytes", access.bits / 8)
                          .set("element", word_name(access.bits))
                          .set("word_type", word_name(word_bits))
                          .set("const", write ? "const " : "");
  text += fields.fill(R"( {
  @const@__private @word_type@* words = (@const@__private @word_type@*)registers;
  for (uint i = 0; i < @blocks@ * @count@; ++i) {
    const uint word = i % @count@ * @lanes@ + get_sub_group_local_id();
)");
  if (write) {
    text += fields.fill(R"(    const @word_type@ value = words[i];
    for (uint j = 0; j < @per_word@; ++j) {
      const uint row = @row@, column = @column@;
      const long y = (long)corner.y + row, x = (long)corner.x + i / @count@ * @columns@ + column;
      if (row < @rows@ && y >= 0 && y < height && x >= 0 && (x + 1) * @bytes@ <= width)
        ((__global @element@*)((__global uchar*)base + y * pitch))[x] =
            (@element@)(value >> j * @bits@);
    }
  }
}
)");
  } else {
    text += fields.fill(R"(    @word_type@ value = 0;
    for (uint j = 0; j < @per_word@; ++j) {
      const uint row = @row@, column = @column@;
      const long y = (long)corner.y + row, x = (long)corner.x + i / @count@ * @columns@ + column;
      if (row < @rows@ && column < @columns@ && y >= 0 && y < height && x >= 0 &&
          (x + 1) * @bytes@ <= width)
        value |= (@word_type@)((__global const @element@*)((__global const uchar*)base +
                                                           y * pitch))[x] << j * @bits@;
    }
    words[i] = value;
  }
}
)");
  }
  return text;
}

}  // namespace

std::string_view builtin_prologue() {
  return R"(#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups_short : enable
static ushort softgpu_bfloat_bits(float value) {
  const uint bits = as_uint(value);
  if (isnan(value)) return (ushort)(bits >> 16 | 0x40);
  return (ushort)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
)";
}

std::optional<std::string> builtin_definition(std::string_view mangled_name,
                                              std::uint32_t sub_group_size) {
  if (sub_group_size != 8 && sub_group_size != 16 && sub_group_size != 32) return std::nullopt;
  const auto name = MangledName::parse(mangled_name);
  if (!name) return std::nullopt;
  if (const auto mad = read_matrix_mad(*name, sub_group_size)) {
    return matrix_mad_definition(*name, *mad);
  }
  if (const auto access = read_block_access(*name)) {
    return block_definition(*name, *access, sub_group_size);
  }
  return std::nullopt;
}

}  // namespace softgpu
