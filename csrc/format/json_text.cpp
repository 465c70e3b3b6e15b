#include "format/json_text.h"

#include <charconv>
#include <cmath>
#include <cstddef>

namespace proton_xpu {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// The length of the UTF-8 sequence at the start of `text`, or 0 if there is none. Overlong forms,
// surrogates and what lies beyond U+10FFFF are none.
std::size_t utf8_sequence(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto continues = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) {
    return 1;
  }
  if (lead >= 0xC2 && lead <= 0xDF) {
    return continues(1) ? 2 : 0;
  }
  if (lead >= 0xE0 && lead <= 0xEF) {
    const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : 0xBF;
    return continues(1, low, high) && continues(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
    return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

void append_escaped_ascii(unsigned char c, std::string* out) {
  static constexpr char kHex[] = "0123456789abcdef";
  switch (c) {
    case '"':
      *out += "\\\"";
      break;
    case '\\':
      *out += "\\\\";
      break;
    case '\n':
      *out += "\\n";
      break;
    case '\t':
      *out += "\\t";
      break;
    default:
      if (c < 0x20) {
        *out += "\\u00";
        *out += kHex[c >> 4];
        *out += kHex[c & 0xF];
      } else {
        *out += static_cast<char>(c);
      }
  }
}

template <typename Integer>
void append_integer(Integer value, std::string* out) {
  char digits[24];
  const auto result = std::to_chars(digits, digits + sizeof(digits), value);
  out->append(digits, result.ptr);
}

// Calls copy(sequence) for each valid sequence and bad() once for each run of invalid bytes.
template <typename Copy, typename Bad>
void split_utf8(std::string_view text, Copy&& copy, Bad&& bad) {
  bool in_bad_run = false;
  while (!text.empty()) {
    const std::size_t length = utf8_sequence(text);
    if (length == 0) {
      if (!in_bad_run) {
        bad();
      }
      in_bad_run = true;
      text.remove_prefix(1);
      continue;
    }
    in_bad_run = false;
    copy(text.substr(0, length));
    text.remove_prefix(length);
  }
}

}  // namespace

void append_json_string(std::string_view text, std::string* out) {
  *out += '"';
  split_utf8(
      text,
      [out](std::string_view sequence) {
        if (sequence.size() == 1) {
          append_escaped_ascii(static_cast<unsigned char>(sequence[0]), out);
        } else {
          out->append(sequence);
        }
      },
      [out] { out->append(kReplacement); });
  *out += '"';
}

void append_json_number(std::uint64_t value, std::string* out) { append_integer(value, out); }
void append_json_number(std::int64_t value, std::string* out) { append_integer(value, out); }

void append_json_number(double value, std::string* out) {
  if (!std::isfinite(value)) {
    *out += "null";
    return;
  }
  char digits[32];
  const auto result = std::to_chars(digits, digits + sizeof(digits), value);
  const std::string_view text(digits, static_cast<std::size_t>(result.ptr - digits));
  out->append(text);
  if (text.find_first_of(".e") == std::string_view::npos) {
    *out += ".0";
  }
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  split_utf8(
      text, [&valid](std::string_view sequence) { valid.append(sequence); },
      [&valid] { valid.append(kReplacement); });
  return valid;
}

}  // namespace proton_xpu
