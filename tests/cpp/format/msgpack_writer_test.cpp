#include "format/msgpack_writer.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "format/json_text.h"
#include "support/random_text.h"

namespace proton_xpu {
namespace {

template <typename Write>
std::string packed(Write&& write) {
  std::string bytes;
  MsgpackWriter pack(&bytes);
  write(pack);
  return bytes;
}

TEST(MsgpackWriter, UsesTheSmallestForm) {
  const auto size = [](std::int64_t value) {
    return packed([value](MsgpackWriter& pack) { pack.integer(value); }).size();
  };
  EXPECT_EQ(size(0), 1u);
  EXPECT_EQ(size(127), 1u);
  EXPECT_EQ(size(128), 2u);
  EXPECT_EQ(size(255), 2u);
  EXPECT_EQ(size(256), 3u);
  EXPECT_EQ(size(65536), 5u);
  EXPECT_EQ(size(std::int64_t{1} << 32), 9u);
  EXPECT_EQ(size(-1), 1u);
  EXPECT_EQ(size(-32), 1u);
  EXPECT_EQ(size(-33), 2u);
  EXPECT_EQ(size(-129), 3u);
  EXPECT_EQ(size(-32769), 5u);
  EXPECT_EQ(size(std::numeric_limits<std::int64_t>::min()), 9u);
}

TEST(MsgpackWriter, WritesEveryIntegerThatComesBack) {
  std::mt19937_64 random(13);
  for (int i = 0; i < 5000; ++i) {
    const auto value = static_cast<std::int64_t>(random()) >> random() % 64;
    const std::string bytes = packed([value](MsgpackWriter& pack) { pack.integer(value); });
    EXPECT_EQ(nlohmann::json::from_msgpack(bytes).get<std::int64_t>(), value);
    EXPECT_EQ(bytes.size(), nlohmann::json::to_msgpack(value).size());
    const auto bits = static_cast<std::uint64_t>(value);
    const std::string plain = packed([bits](MsgpackWriter& pack) { pack.unsigned_integer(bits); });
    EXPECT_EQ(nlohmann::json::from_msgpack(plain).get<std::uint64_t>(), bits);
  }
}

TEST(MsgpackWriter, WritesEveryStringThatComesBack) {
  std::mt19937_64 random(17);
  for (int i = 0; i < 500; ++i) {
    const std::string text = random_text(&random);
    const std::string bytes = packed([&text](MsgpackWriter& pack) { pack.string(text); });
    EXPECT_EQ(nlohmann::json::from_msgpack(bytes).get<std::string>(), valid_utf8(text));
  }
}

TEST(MsgpackWriter, WritesStringsOfAnyLength) {
  for (const std::size_t length : {0u, 31u, 32u, 255u, 256u, 65535u, 65536u}) {
    const std::string text(length, 'x');
    const std::string bytes = packed([&text](MsgpackWriter& pack) { pack.string(text); });
    EXPECT_EQ(nlohmann::json::from_msgpack(bytes).get<std::string>(), text);
    EXPECT_EQ(bytes.size(), nlohmann::json::to_msgpack(text).size());
  }
}

TEST(MsgpackWriter, WritesLongArraysAndMaps) {
  for (const std::uint32_t size : {0u, 15u, 16u, 65535u, 65536u}) {
    const std::string array = packed([size](MsgpackWriter& pack) {
      pack.begin_array(size);
      for (std::uint32_t i = 0; i < size; ++i) {
        pack.boolean(i % 2 == 0);
      }
    });
    EXPECT_EQ(nlohmann::json::from_msgpack(array).size(), size);
    const std::string map = packed([size](MsgpackWriter& pack) {
      pack.begin_map(size);
      for (std::uint32_t i = 0; i < size; ++i) {
        pack.string(std::to_string(i));
        pack.real(0.5);
      }
    });
    EXPECT_EQ(nlohmann::json::from_msgpack(map).size(), size);
  }
}

TEST(MsgpackWriter, WritesDoublesInFull) {
  const std::string bytes = packed([](MsgpackWriter& pack) { pack.real(1.5); });
  EXPECT_EQ(bytes, std::string("\xCB\x3F\xF8\0\0\0\0\0\0", 9));
}

}  // namespace
}  // namespace proton_xpu
