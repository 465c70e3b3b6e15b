// What became of a session's launches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "tracer/tracer.h"

namespace proton_xpu {

/// `launches == kernels + copies + fills + lost() + untimed() + pending()`.
struct Accounting {
  std::uint64_t launches = 0;  ///< Counted on the launching threads, apart from the rest.
  std::uint64_t kernels = 0;
  std::uint64_t copies = 0;
  std::uint64_t fills = 0;
  std::array<std::uint64_t, static_cast<std::size_t>(LossReason::kCount)> losses{};

  std::uint64_t loss(LossReason reason) const { return losses[static_cast<std::size_t>(reason)]; }
  void count_loss(LossReason reason) { ++losses[static_cast<std::size_t>(reason)]; }

  void count_activity(ActivityKind kind) {
    switch (kind) {
      case ActivityKind::kKernel:
        ++kernels;
        break;
      case ActivityKind::kCopy:
        ++copies;
        break;
      case ActivityKind::kFill:
        ++fills;
        break;
    }
  }

  /// Launches without any record.
  std::uint64_t lost() const {
    return loss(LossReason::kNoRecord) + loss(LossReason::kBufferDropped);
  }

  /// Launches whose record has no usable times.
  std::uint64_t untimed() const {
    return loss(LossReason::kNoTimestamp) + loss(LossReason::kBadTimestamp);
  }

  /// Launches of which nothing has come yet.
  std::uint64_t pending() const {
    const std::uint64_t settled = kernels + copies + fills + lost() + untimed();
    return launches > settled ? launches - settled : 0;
  }

  /// Gives up what is pending: nothing of it will come any more.
  void give_up_pending() { losses[static_cast<std::size_t>(LossReason::kNoRecord)] += pending(); }
};

/// The counters by the names that files and statistics give them, in alphabetical order.
inline std::array<std::pair<const char*, std::uint64_t>, 11> accounting_entries(
    const Accounting& accounting) {
  return {{{"copies", accounting.copies},
           {"fills", accounting.fills},
           {"kernels", accounting.kernels},
           {"launches", accounting.launches},
           {"lost", accounting.lost()},
           {"lost_buffer_dropped", accounting.loss(LossReason::kBufferDropped)},
           {"lost_no_record", accounting.loss(LossReason::kNoRecord)},
           {"pending", accounting.pending()},
           {"untimed", accounting.untimed()},
           {"untimed_bad_timestamp", accounting.loss(LossReason::kBadTimestamp)},
           {"untimed_no_timestamp", accounting.loss(LossReason::kNoTimestamp)}}};
}

}  // namespace proton_xpu
