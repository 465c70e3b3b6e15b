// Itanium-mangled names of OpenCL C functions, as far as functions that kernels import need it:
// a plain name and parameters that are scalars, vectors, or pointers to these.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace softgpu {

enum class Scalar : std::uint8_t {
  kVoid,
  kBool,
  kChar,
  kSignedChar,
  kUchar,
  kShort,
  kUshort,
  kInt,
  kUint,
  kLong,
  kUlong,
  kHalf,
  kFloat,
  kDouble
};

/// Width of one value in bits; 0 for void.
std::uint32_t scalar_bits(Scalar scalar);

/// The OpenCL C keyword.
const char* scalar_keyword(Scalar scalar);

struct ParameterType {
  Scalar scalar = Scalar::kVoid;
  std::uint32_t vector_length = 1;
  bool is_pointer = false;
  bool is_const = false;  ///< Of what is pointed to.
  std::uint32_t address_space =
      0;  ///< Of pointers: 0 private, 1 global, 2 constant, 3 local, 4 generic.

  friend bool operator==(const ParameterType& a, const ParameterType& b) {
    return a.scalar == b.scalar && a.vector_length == b.vector_length &&
           a.is_pointer == b.is_pointer && a.is_const == b.is_const &&
           a.address_space == b.address_space;
  }
};

/// The type as OpenCL C source spells it.
std::string spell(const ParameterType& type);

struct MangledName {
  std::string base;
  std::vector<ParameterType> parameters;

  /// Nothing if `text` is not a mangled name of this kind. Any text is safe.
  static std::optional<MangledName> parse(std::string_view text);

  std::string mangle() const;
};

}  // namespace softgpu
