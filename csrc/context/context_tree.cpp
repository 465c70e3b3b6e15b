#include "context/context_tree.h"

namespace proton_xpu {

ContextTree::ContextTree() { nodes_.push_back({kRoot, NameTable::instance().intern("ROOT")}); }

NodeId ContextTree::child(NodeId parent, NameId name) {
  const std::uint64_t key = static_cast<std::uint64_t>(parent) << 32 | name;
  const auto [node, is_new] = children_.insert(key, static_cast<NodeId>(nodes_.size()));
  if (is_new) {
    nodes_.push_back({parent, name});
  }
  return *node;
}

}  // namespace proton_xpu
