// One phase of a tree, ready to be written: names as text, children in their order.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "data/metric.h"
#include "data/node_rows.h"

namespace proton_xpu {

struct SnapshotNode {
  std::string_view name;  ///< In the name table, so valid for ever.
  NodeRow row;
  std::vector<Metric> metrics;          ///< By shown name, in alphabetical order.
  std::vector<std::uint32_t> children;  ///< Indices into TreeSnapshot::nodes.
};

struct TreeSnapshot {
  std::vector<SnapshotNode> nodes;     ///< Never empty; the first is the root.
  bool has_kernels = false;            ///< Any node has a count.
  std::vector<std::uint32_t> devices;  ///< Those seen in the phase, rising.
};

}  // namespace proton_xpu
