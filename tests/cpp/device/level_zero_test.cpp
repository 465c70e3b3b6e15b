#include "device/level_zero.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace proton_xpu {
namespace {

/// Runs in a process of its own: says what open() throws and exits with 0.
[[noreturn]] void report_open_error(const char* variable, const char* value) {
  setenv(variable, value, 1);
  try {
    LevelZero::open();
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::exit(0);
  }
  std::fprintf(stderr, "no error\n");
  std::exit(1);
}

TEST(LevelZero, OpensTheNamedLoaderAndStartsTheDriver) {
  const LevelZero& level_zero = LevelZero::open();
  EXPECT_EQ(level_zero.path(), std::getenv("PROTON_XPU_LEVEL_ZERO_LOADER"));
  EXPECT_FALSE(level_zero.version() < (LevelZeroVersion{1, 16, 15}))
      << to_string(level_zero.version());
  std::uint32_t count = 0;
  EXPECT_EQ(level_zero.driver_get(&count, nullptr), ZE_RESULT_SUCCESS);
  EXPECT_EQ(count, 1U);
  EXPECT_EQ(&LevelZero::open(), &level_zero);
}

TEST(LevelZeroDeathTest, MissingLoaderIsOneSentence) {
  EXPECT_EXIT(
      report_open_error("PROTON_XPU_LEVEL_ZERO_LOADER", "/nowhere/libze_loader.so.1"),
      ::testing::ExitedWithCode(0),
      "Cannot open the Level Zero loader .*/nowhere/libze_loader.so.1.*; install the package "
      "libze1 or set PROTON_XPU_LEVEL_ZERO_LOADER");
}

TEST(LevelZeroDeathTest, MissingDriverIsOneSentence) {
  EXPECT_EXIT(report_open_error("ZE_ENABLE_ALT_DRIVERS", "/nowhere/libze_none.so"),
              ::testing::ExitedWithCode(0),
              "No Level Zero GPU driver starts \\(zeInit answers 0x7.*PROTON_XPU_DEVICE=soft");
}

[[noreturn]] void report_error_of_a_second_loader() {
  if (dlopen(std::getenv("PROTON_XPU_LEVEL_ZERO_LOADER"), RTLD_NOW) == nullptr) std::exit(2);
  report_open_error("PROTON_XPU_LEVEL_ZERO_LOADER", "/proc/self/exe");
}

TEST(LevelZeroDeathTest, SecondLoaderIsRefused) {
  EXPECT_EXIT(report_error_of_a_second_loader(), ::testing::ExitedWithCode(0),
              "is already in this process, but PROTON_XPU_LEVEL_ZERO_LOADER names /proc/self/exe; "
              "unset the variable or load that file first");
}

TEST(LevelZeroVersion, AreOrdered) {
  EXPECT_TRUE((LevelZeroVersion{1, 8, 12}) < (LevelZeroVersion{1, 16, 15}));
  EXPECT_TRUE((LevelZeroVersion{1, 16, 14}) < (LevelZeroVersion{1, 16, 15}));
  EXPECT_FALSE((LevelZeroVersion{1, 16, 15}) < (LevelZeroVersion{1, 16, 15}));
  EXPECT_FALSE((LevelZeroVersion{2, 0, 0}) < (LevelZeroVersion{1, 16, 15}));
  EXPECT_EQ(to_string({1, 20, 6}), "1.20.6");
}

}  // namespace
}  // namespace proton_xpu
