#include "context/id_map.h"

#include <gtest/gtest.h>

#include <random>
#include <unordered_map>

namespace proton_xpu {
namespace {

TEST(IdMap, FindsNothingWhenEmpty) {
  IdMap<int> map;
  int value = 0;
  EXPECT_EQ(map.find(3), nullptr);
  EXPECT_FALSE(map.take(3, &value));
}

TEST(IdMap, KeepsTheFirstValueOfAKey) {
  IdMap<int> map;
  EXPECT_TRUE(map.insert(5, 50).second);
  const auto [value, is_new] = map.insert(5, 51);
  EXPECT_FALSE(is_new);
  EXPECT_EQ(*value, 50);
  EXPECT_EQ(map.size(), 1u);
}

TEST(IdMap, TakesAValueOutOnce) {
  IdMap<int> map;
  map.insert(5, 50);
  int value = 0;
  EXPECT_TRUE(map.take(5, &value));
  EXPECT_EQ(value, 50);
  EXPECT_FALSE(map.take(5, &value));
  EXPECT_EQ(map.size(), 0u);
}

// Random insertions and removals, with keys that collide, against the standard map.
template <typename Hash>
void compare_with_standard_map(std::uint64_t key_step) {
  std::mt19937_64 random(20240117);
  IdMap<std::uint32_t, Hash> map;
  std::unordered_map<std::uint64_t, std::uint32_t> expected;
  for (std::uint32_t step = 0; step < 20000; ++step) {
    const std::uint64_t key = random() % 400 * key_step;
    if (random() % 2 == 0) {
      EXPECT_EQ(map.insert(key, step).second, expected.emplace(key, step).second);
    } else {
      std::uint32_t value = 0;
      const auto found = expected.find(key);
      ASSERT_EQ(map.take(key, &value), found != expected.end());
      if (found != expected.end()) {
        EXPECT_EQ(value, found->second);
        expected.erase(found);
      }
    }
    ASSERT_EQ(map.size(), expected.size());
  }
  std::unordered_map<std::uint64_t, std::uint32_t> visited;
  map.for_each([&visited](std::uint64_t key, std::uint32_t value) { visited[key] = value; });
  EXPECT_EQ(visited, expected);
}

TEST(IdMap, DoesWhatTheStandardMapDoes) { compare_with_standard_map<MixedHash>(1); }

TEST(IdMap, DoesSoWithSequentialKeysThatCollide) {
  compare_with_standard_map<SequentialHash>(1);
  compare_with_standard_map<SequentialHash>(64);
}

}  // namespace
}  // namespace proton_xpu
