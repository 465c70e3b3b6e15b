#include "softgpu/clock.h"

#include <gtest/gtest.h>

namespace softgpu {
namespace {

TEST(DeviceClock, CountsNanosecondsAtOneGigahertz) {
  const DeviceClock clock(1'000'000'000, 64, 64);
  EXPECT_EQ(clock.ticks(123'456'789'012'345), 123'456'789'012'345U);
  EXPECT_EQ(clock.kernel_stamp(~std::uint64_t{0}), ~std::uint64_t{0});
}

TEST(DeviceClock, ConvertsWithoutOverflowAtOtherFrequencies) {
  const DeviceClock clock(12'500'000, 36, 32);
  EXPECT_EQ(clock.ticks(80), 1U);
  EXPECT_EQ(clock.ticks(79), 0U);
  // 100 days: nanoseconds times hertz would not fit in 64 bits.
  const std::uint64_t days = 100ULL * 24 * 3600;
  EXPECT_EQ(clock.ticks(days * 1'000'000'000 + 160), days * 12'500'000 + 2);
}

TEST(DeviceClock, StampsKeepOnlyTheValidBits) {
  const DeviceClock clock(12'500'000, 36, 32);
  const std::uint64_t ticks = (std::uint64_t{5} << 36) + (std::uint64_t{3} << 32) + 17;
  EXPECT_EQ(clock.global_stamp(ticks), (std::uint64_t{3} << 32) + 17);
  EXPECT_EQ(clock.kernel_stamp(ticks), 17U);
}

TEST(HostClock, NeverGoesBack) {
  std::uint64_t last = host_now();
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t now = host_now();
    EXPECT_GE(now, last);
    last = now;
  }
}

}  // namespace
}  // namespace softgpu
