// JSON written by hand: strict for any bytes, numbers in their shortest exact form.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "data/metric.h"

namespace proton_xpu {

/// Appends `text` as a JSON string. Bytes that are not UTF-8 become U+FFFD.
void append_json_string(std::string_view text, std::string* out);

void append_json_number(std::uint64_t value, std::string* out);
void append_json_number(std::int64_t value, std::string* out);

/// A double always looks like one ("2.0"); NaN and the infinities become null.
void append_json_number(double value, std::string* out);

/// `text` with each maximal run of bytes that is no UTF-8 replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

}  // namespace proton_xpu
