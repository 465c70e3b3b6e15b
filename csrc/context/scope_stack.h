// The open scopes of one thread in one session.
#pragma once

#include <cstdint>
#include <vector>

#include "context/context_tree.h"
#include "context/name_table.h"

namespace proton_xpu {

using ScopeId = std::uint64_t;

class ScopeStack {
 public:
  /// The node of the innermost open scope, or the root.
  NodeId top() const { return frames_.empty() ? ContextTree::kRoot : frames_.back().node; }
  std::size_t depth() const { return frames_.size(); }

  void push(ScopeId scope, NameId name, NodeId node) { frames_.push_back({scope, name, node}); }

  /// Throws std::runtime_error, and leaves the stack as it is, unless this scope is the innermost.
  void pop(ScopeId scope, NameId name);

 private:
  struct Frame {
    ScopeId scope;
    NameId name;
    NodeId node;
  };

  std::vector<Frame> frames_;
};

}  // namespace proton_xpu
