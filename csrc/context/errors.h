// The one place that knows how native errors are worded: all carry Proton's prefix. The binding
// turns std::invalid_argument into ValueError, std::out_of_range into IndexError and
// std::runtime_error into RuntimeError.
#pragma once

#include <stdexcept>
#include <string>

namespace proton_xpu {

inline constexpr char kErrorPrefix[] = "[PROTON] ";

/// `text` with the prefix, which is not repeated if it is there already.
inline std::string prefixed(const std::string& text) {
  return text.rfind(kErrorPrefix, 0) == 0 ? text : kErrorPrefix + text;
}

/// A bad argument (ValueError).
[[noreturn]] inline void throw_invalid_argument(const std::string& text) {
  throw std::invalid_argument(prefixed(text));
}

/// An unknown session, scope or phase (IndexError).
[[noreturn]] inline void throw_out_of_range(const std::string& text) {
  throw std::out_of_range(prefixed(text));
}

/// Everything else (RuntimeError).
[[noreturn]] inline void throw_runtime_error(const std::string& text) {
  throw std::runtime_error(prefixed(text));
}

}  // namespace proton_xpu
