// Host time and device ticks.
#pragma once

#include <cstdint>

namespace softgpu {

/// CLOCK_MONOTONIC_RAW in nanoseconds: the base that profilers use too, so that a device stamp
/// never precedes the host stamp of the call that caused it.
std::uint64_t host_now();

/// The counter that all stamps of a device are taken from: host time in units of its frequency.
class DeviceClock {
 public:
  /// Stamps handed out keep only the given numbers of low bits, as on hardware.
  DeviceClock(std::uint64_t frequency_hz, std::uint32_t valid_bits,
              std::uint32_t kernel_valid_bits);

  std::uint64_t ticks(std::uint64_t host_ns) const;
  std::uint64_t now() const { return ticks(host_now()); }

  std::uint64_t global_stamp(std::uint64_t ticks) const { return ticks & global_mask_; }
  std::uint64_t kernel_stamp(std::uint64_t ticks) const { return ticks & kernel_mask_; }

 private:
  std::uint64_t frequency_hz_;
  std::uint64_t global_mask_;
  std::uint64_t kernel_mask_;
};

}  // namespace softgpu
