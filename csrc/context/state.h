// A state: frames that are put between a thread's context and what it launches.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "context/name_table.h"

namespace proton_xpu {

inline constexpr std::string_view kMetadataScopeName = "__proton_launch_metadata";
inline constexpr std::string_view kMetadataScopePrefix = "__proton_launch_metadata:";

/// Empty unless made from a name.
class State {
 public:
  State() = default;

  /// One frame; two for `__proton_launch_metadata:<kernel>`, the kernel being the second.
  explicit State(std::string_view name);

  const NameId* begin() const { return frames_.data(); }
  const NameId* end() const { return frames_.data() + size_; }
  bool empty() const { return size_ == 0; }

 private:
  std::array<NameId, 2> frames_{};
  std::size_t size_ = 0;
};

}  // namespace proton_xpu
