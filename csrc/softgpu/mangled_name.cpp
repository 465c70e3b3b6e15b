#include "softgpu/mangled_name.h"

#include <array>
#include <utility>

namespace softgpu {
namespace {

struct ScalarRow {
  Scalar scalar;
  const char* code;  // in mangled names
  const char* keyword;
  std::uint32_t bits;
};

constexpr std::array<ScalarRow, 14> kScalars{{{Scalar::kVoid, "v", "void", 0},
                                              {Scalar::kBool, "b", "bool", 8},
                                              {Scalar::kChar, "c", "char", 8},
                                              {Scalar::kSignedChar, "a", "char", 8},
                                              {Scalar::kUchar, "h", "uchar", 8},
                                              {Scalar::kShort, "s", "short", 16},
                                              {Scalar::kUshort, "t", "ushort", 16},
                                              {Scalar::kInt, "i", "int", 32},
                                              {Scalar::kUint, "j", "uint", 32},
                                              {Scalar::kLong, "l", "long", 64},
                                              {Scalar::kUlong, "m", "ulong", 64},
                                              {Scalar::kHalf, "Dh", "half", 16},
                                              {Scalar::kFloat, "f", "float", 32},
                                              {Scalar::kDouble, "d", "double", 64}}};

const ScalarRow& row_of(Scalar scalar) { return kScalars[static_cast<std::size_t>(scalar)]; }

// Longest plausible name; keeps numbers read from hostile text small.
constexpr std::uint32_t kMaxNumber = 4096;

/// Reads a mangled parameter list. Substitutions refer to whole components in order of appearance;
/// a pointer adds its qualified pointee (where there are qualifiers) and itself.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool empty() const { return rest_.empty(); }

  bool accept(std::string_view token) {
    if (rest_.substr(0, token.size()) != token) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  std::optional<std::uint32_t> number() {
    std::uint32_t value = 0;
    bool any = false;
    while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
      value = value * 10 + static_cast<std::uint32_t>(rest_.front() - '0');
      if (value > kMaxNumber) return std::nullopt;
      rest_.remove_prefix(1);
      any = true;
    }
    if (!any) return std::nullopt;
    return value;
  }

  std::optional<std::string> identifier() {
    const auto length = number();
    if (!length || *length == 0 || *length > rest_.size()) return std::nullopt;
    std::string name(rest_.substr(0, *length));
    rest_.remove_prefix(*length);
    return name;
  }

  std::optional<ParameterType> parameter() {
    if (!accept("P")) {
      auto type = value();
      const bool bare_pointee =
          type && !type->is_pointer && (type->address_space != 0 || type->is_const);
      if (bare_pointee) return std::nullopt;
      return type;
    }
    ParameterType qualifiers;
    bool qualified = false;
    if (accept("U3AS")) {
      const auto space = number();
      if (!space) return std::nullopt;
      qualifiers.address_space = *space;
      qualified = true;
    }
    if (accept("K")) {
      qualifiers.is_const = true;
      qualified = true;
    }
    auto type = value();
    if (!type || type->is_pointer) return std::nullopt;
    if (qualified) {
      type->address_space = qualifiers.address_space;
      type->is_const = qualifiers.is_const;
      substitutions_.push_back(*type);
    }
    type->is_pointer = true;
    substitutions_.push_back(*type);
    return type;
  }

 private:
  std::optional<ParameterType> value() {
    if (accept("S")) return substitution();
    ParameterType type;
    const bool vector = accept("Dv");
    if (vector) {
      const auto length = number();
      if (!length || *length < 2 || *length > 16 || !accept("_")) return std::nullopt;
      type.vector_length = *length;
    }
    for (const auto& row : kScalars) {
      if (!accept(row.code)) continue;
      type.scalar = row.scalar;
      if (vector) substitutions_.push_back(type);
      return type;
    }
    return std::nullopt;
  }

  std::optional<ParameterType> substitution() {
    std::size_t index = 0;
    if (!accept("_")) {
      std::size_t value = 0;
      while (!rest_.empty() && rest_.front() != '_') {
        const char digit = rest_.front();
        rest_.remove_prefix(1);
        if (digit >= '0' && digit <= '9') {
          value = value * 36 + static_cast<std::size_t>(digit - '0');
        } else if (digit >= 'A' && digit <= 'Z') {
          value = value * 36 + static_cast<std::size_t>(digit - 'A') + 10;
        } else {
          return std::nullopt;
        }
        if (value > kMaxNumber) return std::nullopt;
      }
      if (!accept("_")) return std::nullopt;
      index = value + 1;
    }
    if (index >= substitutions_.size()) return std::nullopt;
    return substitutions_[index];
  }

  std::string_view rest_;
  std::vector<ParameterType> substitutions_;
};

/// Writes a mangled parameter list, the mirror of Reader.
class Writer {
 public:
  std::string text;

  void parameter(const ParameterType& type) {
    if (!type.is_pointer) {
      value(type);
      return;
    }
    if (substitute(type)) return;
    text += 'P';
    ParameterType pointee = type;
    pointee.is_pointer = false;
    const bool qualified = type.address_space != 0 || type.is_const;
    if (!qualified) {
      value(pointee);
    } else if (!substitute(pointee)) {
      if (type.address_space != 0) text += "U3AS" + std::to_string(type.address_space);
      if (type.is_const) text += 'K';
      ParameterType plain = pointee;
      plain.address_space = 0;
      plain.is_const = false;
      value(plain);
      substitutions_.push_back(pointee);
    }
    substitutions_.push_back(type);
  }

 private:
  void value(const ParameterType& type) {
    if (type.vector_length == 1) {
      text += row_of(type.scalar).code;
      return;
    }
    if (substitute(type)) return;
    text += "Dv" + std::to_string(type.vector_length) + "_" + row_of(type.scalar).code;
    substitutions_.push_back(type);
  }

  bool substitute(const ParameterType& type) {
    for (std::size_t i = 0; i < substitutions_.size(); ++i) {
      if (!(substitutions_[i] == type)) continue;
      text += 'S';
      if (i > 0) {
        const auto digit = static_cast<char>(i - 1);
        text += static_cast<char>(digit < 10 ? '0' + digit : 'A' + digit - 10);
      }
      text += '_';
      return true;
    }
    return false;
  }

  std::vector<ParameterType> substitutions_;
};

}  // namespace

std::uint32_t scalar_bits(Scalar scalar) { return row_of(scalar).bits; }

const char* scalar_keyword(Scalar scalar) { return row_of(scalar).keyword; }

std::string spell(const ParameterType& type) {
  std::string value = scalar_keyword(type.scalar);
  if (type.vector_length > 1) value += std::to_string(type.vector_length);
  if (!type.is_pointer) return value;
  constexpr std::array<const char*, 5> kSpaces{"__private ", "__global ", "__constant ", "__local ",
                                               "__generic "};
  std::string text = kSpaces[type.address_space < kSpaces.size() ? type.address_space : 0];
  if (type.is_const) text += "const ";
  return text + value + "*";
}

std::optional<MangledName> MangledName::parse(std::string_view text) {
  Reader reader(text);
  if (!reader.accept("_Z")) return std::nullopt;
  auto base = reader.identifier();
  if (!base) return std::nullopt;
  MangledName name{std::move(*base), {}};
  while (!reader.empty()) {
    const auto type = reader.parameter();
    if (!type) return std::nullopt;
    name.parameters.push_back(*type);
  }
  if (name.parameters.size() == 1 && name.parameters[0] == ParameterType{}) name.parameters.clear();
  return name;
}

std::string MangledName::mangle() const {
  Writer writer;
  writer.text = "_Z" + std::to_string(base.size()) + base;
  if (parameters.empty()) writer.text += 'v';
  for (const auto& type : parameters) writer.parameter(type);
  return writer.text;
}

}  // namespace softgpu
