// Contexts as interned paths: a node stands for one path of names from the root.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "context/id_map.h"
#include "context/name_table.h"

namespace proton_xpu {

using NodeId = std::uint32_t;

/// Grows with distinct paths only. Not thread-safe.
class ContextTree {
 public:
  static constexpr NodeId kRoot = 0;

  ContextTree();

  /// The node of `name` under `parent`, made if it is new.
  NodeId child(NodeId parent, NameId name);

  NodeId parent(NodeId node) const { return nodes_[node].parent; }
  NameId name(NodeId node) const { return nodes_[node].name; }
  std::size_t size() const { return nodes_.size(); }

 private:
  struct Node {
    NodeId parent;
    NameId name;
  };

  std::vector<Node> nodes_;
  IdMap<NodeId> children_;  // Keyed by parent and name.
};

}  // namespace proton_xpu
