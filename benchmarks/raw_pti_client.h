// The least that a client of Intel PTI does: the yardstick for what the profiler adds to PTI.
#pragma once

#include <cstdint>

namespace proton_xpu::benchmarks {

/// Collects the records of kernels, copies and fills, walks them and throws them away.
class RawPtiClient {
 public:
  /// `with_callback`: also have an empty function called at each appended operation.
  /// Throws std::runtime_error.
  explicit RawPtiClient(bool with_callback);
  ~RawPtiClient();
  RawPtiClient(const RawPtiClient&) = delete;
  RawPtiClient& operator=(const RawPtiClient&) = delete;

  /// Hands over what is recorded; returns the number of kernel records seen so far.
  std::uint64_t flush();
};

}  // namespace proton_xpu::benchmarks
