// The one host time base of the project.
#pragma once

#include <time.h>

#include <cstdint>

namespace proton_xpu {

/// Nanoseconds of CLOCK_MONOTONIC_RAW.
inline std::uint64_t host_now_ns() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace proton_xpu
