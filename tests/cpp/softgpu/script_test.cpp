#include "softgpu/script.h"

#include <gtest/gtest.h>

#include <utility>

namespace softgpu {
namespace {

class ScriptTest : public ::testing::Test {
 protected:
  // Delay and duration of the next launch.
  std::pair<std::uint64_t, std::uint64_t> next(const std::string& kernel) {
    Timing timing;
    script_.assign(CommandKind::kKernel, script_.entries_of(kernel), timing);
    return {timing.delay, timing.duration};
  }

  void push(const std::string& kernel, ScriptEntries::Entry entry) {
    script_.push(script_.entries_of(kernel), entry);
  }

  using Times = std::pair<std::uint64_t, std::uint64_t>;
  Script script_;
};

TEST_F(ScriptTest, KernelsLastAThousandTicksAndTransfersAHundred) {
  EXPECT_EQ(next("any"), Times(0, 1000));
  Timing timing;
  script_.assign(CommandKind::kCopy, nullptr, timing);
  EXPECT_EQ(timing.duration, 100U);
  script_.assign(CommandKind::kFill, nullptr, timing);
  EXPECT_EQ(timing.duration, 100U);
  script_.assign(CommandKind::kBarrier, nullptr, timing);
  EXPECT_EQ(timing.duration, 0U);
}

TEST_F(ScriptTest, EntriesAreUsedInTheirOrder) {
  push("a", {1, 10, 2});
  push("a", {3, 30, 1});
  EXPECT_EQ(next("a"), Times(1, 10));
  EXPECT_EQ(next("b"), Times(0, 1000));
  EXPECT_EQ(next("a"), Times(1, 10));
  EXPECT_EQ(next("a"), Times(3, 30));
  EXPECT_EQ(next("a"), Times(0, 1000));
}

TEST_F(ScriptTest, EntriesOfAnyKernelServeThoseWithoutTheirOwn) {
  script_.push(script_.entries_of_any_kernel(), {5, 50, ~std::uint64_t{0}});
  push("a", {1, 10, 1});
  EXPECT_EQ(next("b"), Times(5, 50));
  EXPECT_EQ(next("a"), Times(1, 10));
  EXPECT_EQ(next("a"), Times(5, 50));
  EXPECT_EQ(next("b"), Times(5, 50));
}

TEST_F(ScriptTest, ClearForgetsAllEntries) {
  script_.push(script_.entries_of_any_kernel(), {5, 50, ~std::uint64_t{0}});
  push("a", {1, 10, 7});
  script_.clear();
  EXPECT_EQ(next("a"), Times(0, 1000));
}

}  // namespace
}  // namespace softgpu
