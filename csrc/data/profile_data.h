// What a session collects, whatever its form. All members are called under the session's lock.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "context/context_tree.h"
#include "context/scope_stack.h"
#include "data/metric.h"
#include "tracer/tracer.h"

namespace proton_xpu {

using Phase = std::uint32_t;

/// The operating system's id of a thread.
using OsThread = std::uint32_t;

/// Metrics of one run of an operation, by the names that the user gave.
using OpMetrics = std::shared_ptr<const std::vector<Metric>>;

/// Where an activity is shown.
struct Placement {
  NodeId node = ContextTree::kRoot;
  Phase phase = 0;       ///< That of its launch.
  OpMetrics op_metrics;  ///< Null unless the data asked for them.
};

class ProfileData {
 public:
  virtual ~ProfileData() = default;

  /// A scope was opened or closed on a thread; `node` is where its metrics go.
  virtual void enter_scope(OsThread thread, ScopeId scope, NodeId node) = 0;
  virtual void exit_scope(ScopeId scope) = 0;

  /// A named operation was begun or ended on a thread; what it launches goes to `node`.
  virtual void enter_op(OsThread thread, NodeId node) = 0;
  virtual void exit_op(OsThread thread) = 0;

  /// Metrics of a scope, or of the operation that a thread has open.
  virtual void add_scope_metrics(ScopeId scope, NodeId node,
                                 const std::vector<Metric>& metrics) = 0;
  virtual void add_op_metrics(OsThread thread, NodeId node, const std::vector<Metric>& metrics) = 0;

  /// What the activities of the thread's operation are to carry, or null.
  virtual OpMetrics op_metrics(OsThread) const { return nullptr; }

  /// Adds values to metrics that were added as zeros, since they were not known at the time.
  /// Nothing happens if their phase is no longer held, or if the data is final once added.
  virtual void settle_metrics(const Placement&, const std::vector<Metric>&) {}

  virtual void add_activity(const Placement& placement, const Activity& activity) = 0;

  virtual Phase phase() const = 0;
  virtual Phase advance_phase() = 0;
  /// Forgets one phase, or all up to it.
  virtual void clear(Phase phase, bool up_to) = 0;
  /// The phases that hold something, and the present one, in order.
  virtual std::vector<Phase> held_phases() const = 0;
};

}  // namespace proton_xpu
