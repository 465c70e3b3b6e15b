// What many entry points do with their arguments.
#pragma once

#include <level_zero/ze_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "softgpu/handle.h"

namespace softgpu {

/// The structure of type `type` in a pNext chain; null if there is none.
template <typename T>
T* find_extension(const void* chain, ze_structure_type_t type) {
  auto* entry = static_cast<const ze_base_properties_t*>(chain);
  while (entry != nullptr && entry->stype != type) {
    entry = static_cast<const ze_base_properties_t*>(entry->pNext);
  }
  return static_cast<T*>(const_cast<void*>(static_cast<const void*>(entry)));
}

/// Sets all but the header of a properties structure to zero.
template <typename T>
void clear_properties(T& properties) {
  const auto type = properties.stype;
  void* next = properties.pNext;
  properties = T{};
  properties.stype = type;
  properties.pNext = next;
}

inline bool has_unknown_flags(std::uint32_t flags, std::uint32_t known) {
  return (flags & ~known) != 0;
}

/// The API's protocol for lists: if `*count` is 0 or `out` null, asks for the count; else receives
/// up to `*count` items, each written by `write(out[i], i)`.
template <typename Out, typename Write>
ze_result_t return_list(std::size_t available, std::uint32_t* count, Out* out, Write write) {
  SOFTGPU_REQUIRE_POINTER(count);
  const auto total = static_cast<std::uint32_t>(available);
  if (*count == 0 || out == nullptr) {
    *count = total;
    return ZE_RESULT_SUCCESS;
  }
  *count = std::min(*count, total);
  for (std::uint32_t i = 0; i < *count; ++i) write(out[i], i);
  return ZE_RESULT_SUCCESS;
}

/// The API's protocol for strings: `*size` counts the terminating zero; without `out` only the size
/// is asked for. A buffer that is too small receives the beginning.
inline ze_result_t return_string(const std::string& text, std::size_t* size, char* out) {
  SOFTGPU_REQUIRE_POINTER(size);
  if (out != nullptr && *size > 0) {
    const std::size_t length = std::min(*size - 1, text.size());
    std::memcpy(out, text.data(), length);
    out[length] = '\0';
  }
  *size = text.size() + 1;
  return ZE_RESULT_SUCCESS;
}

/// For the fixed-size name fields.
template <std::size_t kSize>
void copy_name(char (&field)[kSize], const std::string& text) {
  const std::size_t length = std::min(kSize - 1, text.size());
  std::memcpy(field, text.data(), length);
  field[length] = '\0';
}

}  // namespace softgpu
