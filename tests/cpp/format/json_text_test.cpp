#include "format/json_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "support/random_text.h"

namespace proton_xpu {
namespace {

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(text, &out);
  return out;
}

template <typename Number>
std::string json_number(Number value) {
  std::string out;
  append_json_number(value, &out);
  return out;
}

TEST(JsonString, EscapesWhatItMust) {
  EXPECT_EQ(json_string("a\"b\\c\n\t\x01/"), R"("a\"b\\c\n\t\u0001/")");
}

TEST(JsonString, KeepsUtf8) { EXPECT_EQ(json_string("é漢\U0001F600"), "\"é漢\U0001F600\""); }

TEST(JsonString, ReplacesEachRunOfOtherBytes) {
  EXPECT_EQ(json_string("a\xFF\xFE z"), "\"a\xEF\xBF\xBD z\"");
  EXPECT_EQ(json_string("\xED\xA0\x80"), "\"\xEF\xBF\xBD\"");  // A lone surrogate.
  EXPECT_EQ(json_string("\xC0\xAF"), "\"\xEF\xBF\xBD\"");      // An overlong slash.
  EXPECT_EQ(json_string("\xF4\x90\x80\x80"), "\"\xEF\xBF\xBD\"");
  EXPECT_EQ(json_string("\xE2\x82"), "\"\xEF\xBF\xBD\"");  // Cut off.
}

TEST(JsonString, IsStrictForAnyBytes) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; ++i) {
    const std::string text = random_text(&random);
    EXPECT_EQ(nlohmann::json::parse(json_string(text)).get<std::string>(), valid_utf8(text));
  }
}

TEST(ValidUtf8, LeavesGoodTextAlone) { EXPECT_EQ(valid_utf8("é漢 x"), "é漢 x"); }

TEST(JsonNumber, WritesIntegers) {
  EXPECT_EQ(json_number(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(json_number(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
}

TEST(JsonNumber, MarksDoublesAsSuch) {
  EXPECT_EQ(json_number(2.0), "2.0");
  EXPECT_EQ(json_number(-0.5), "-0.5");
  EXPECT_EQ(json_number(1e20), "1e+20");
}

TEST(JsonNumber, HasNullForWhatJsonCannotSay) {
  EXPECT_EQ(json_number(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(json_number(std::numeric_limits<double>::infinity()), "null");
}

TEST(JsonNumber, ReadsBackExactly) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t bits = random();
    double value = 0;
    static_assert(sizeof(value) == sizeof(bits));
    std::memcpy(&value, &bits, sizeof(value));
    if (std::isfinite(value)) {
      EXPECT_EQ(nlohmann::json::parse(json_number(value)).get<double>(), value);
    }
  }
}

}  // namespace
}  // namespace proton_xpu
