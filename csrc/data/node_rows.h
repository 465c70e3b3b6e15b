// The kernel metrics of one phase, by node: arrays in pages, so that a phase costs memory for the
// nodes it touches and not for all that the session ever saw.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "context/context_tree.h"

namespace proton_xpu {

struct NodeRow {
  static constexpr std::uint32_t kNoDevice = std::numeric_limits<std::uint32_t>::max();

  std::uint64_t first_seen_ns = 0;  ///< 0: the phase has not seen the node.
  std::uint64_t count = 0;
  std::uint64_t time_ns = 0;
  std::uint32_t device = kNoDevice;  ///< The last that was seen.
};

class NodeRows {
 public:
  NodeRow& at(NodeId node) {
    const std::size_t page = node / kPageSize;
    if (page >= pages_.size()) {
      pages_.resize(page + 1);
    }
    if (pages_[page] == nullptr) {
      pages_[page] = std::make_unique<Page>();
    }
    return (*pages_[page])[node % kPageSize];
  }

  /// Calls visit(node, row) for all rows that were seen, by rising node.
  template <typename Visit>
  void for_each_seen(Visit&& visit) const {
    for (std::size_t page = 0; page < pages_.size(); ++page) {
      if (pages_[page] == nullptr) {
        continue;
      }
      for (std::size_t i = 0; i < kPageSize; ++i) {
        if ((*pages_[page])[i].first_seen_ns != 0) {
          visit(static_cast<NodeId>(page * kPageSize + i), (*pages_[page])[i]);
        }
      }
    }
  }

 private:
  static constexpr std::size_t kPageSize = 128;
  using Page = std::array<NodeRow, kPageSize>;

  std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace proton_xpu
