#include "softgpu/clock.h"

#include <time.h>

namespace softgpu {
namespace {

constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;

std::uint64_t mask_of(std::uint32_t bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

}  // namespace

std::uint64_t host_now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * kNanosecondsPerSecond +
         static_cast<std::uint64_t>(time.tv_nsec);
}

DeviceClock::DeviceClock(std::uint64_t frequency_hz, std::uint32_t valid_bits,
                         std::uint32_t kernel_valid_bits)
    : frequency_hz_(frequency_hz),
      global_mask_(mask_of(valid_bits)),
      kernel_mask_(mask_of(kernel_valid_bits)) {}

std::uint64_t DeviceClock::ticks(std::uint64_t host_ns) const {
  if (frequency_hz_ == kNanosecondsPerSecond) return host_ns;
  const std::uint64_t seconds = host_ns / kNanosecondsPerSecond;
  const std::uint64_t rest = host_ns % kNanosecondsPerSecond;
  return seconds * frequency_hz_ + rest * frequency_hz_ / kNanosecondsPerSecond;
}

}  // namespace softgpu
