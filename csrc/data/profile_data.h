// What a session collects, whatever its form. All members are called under the session's lock.
#pragma once

#include <cstdint>
#include <vector>

#include "context/context_tree.h"
#include "context/scope_stack.h"
#include "data/metric.h"
#include "tracer/tracer.h"

namespace proton_xpu {

using Phase = std::uint32_t;

class ProfileData {
 public:
  virtual ~ProfileData() = default;

  /// A scope was opened on the calling thread; `node` is where its metrics go.
  virtual void enter_scope(ScopeId scope, NodeId node) = 0;
  virtual void exit_scope(ScopeId scope) = 0;

  /// A named operation was begun on the calling thread; the kernels it launches go to `node`.
  virtual void enter_op(NodeId node) = 0;
  virtual void exit_op(NodeId node) = 0;

  /// Metrics of a scope, or of an operation that the calling thread has open.
  virtual void add_scope_metrics(ScopeId scope, NodeId node, const std::vector<Metric>& metrics) = 0;
  virtual void add_op_metrics(NodeId node, const std::vector<Metric>& metrics) = 0;

  /// A finished activity that was launched in `phase` and is shown as `node`.
  virtual void add_activity(NodeId node, Phase phase, const Activity& activity) = 0;

  virtual Phase phase() const = 0;
  virtual Phase advance_phase() = 0;
  /// Forgets one phase, or all up to it.
  virtual void clear(Phase phase, bool up_to) = 0;
  /// The phases that hold something, and the present one, in order.
  virtual std::vector<Phase> held_phases() const = 0;
};

}  // namespace proton_xpu
