// Activities and metrics added up by context.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "data/node_rows.h"
#include "data/profile_data.h"
#include "data/tree_snapshot.h"

namespace proton_xpu {

/// Memory grows with distinct contexts, not with launches. `contexts` outlives the data.
class TreeData final : public ProfileData {
 public:
  explicit TreeData(const ContextTree& contexts) : contexts_(contexts) { phases_[0]; }

  void enter_scope(OsThread, ScopeId, NodeId node) override { see_now(node); }
  void exit_scope(ScopeId) override {}
  void enter_op(OsThread, NodeId node) override { see_now(node); }
  void exit_op(OsThread) override {}
  void add_scope_metrics(ScopeId, NodeId node, const std::vector<Metric>& metrics) override {
    add_metrics(node, metrics);
  }
  void add_op_metrics(OsThread, NodeId node, const std::vector<Metric>& metrics) override {
    add_metrics(node, metrics);
  }
  void settle_metrics(const Placement& placement, const std::vector<Metric>& values) override;
  void add_activity(const Placement& placement, const Activity& activity) override;

  Phase phase() const override { return phase_; }
  Phase advance_phase() override;
  void clear(Phase phase, bool up_to) override;
  std::vector<Phase> held_phases() const override;

  /// Throws std::out_of_range if the phase holds nothing.
  TreeSnapshot snapshot(Phase phase) const;

 private:
  struct PhaseRows {
    NodeRows rows;
    std::map<NodeId, std::vector<Metric>> metrics;  // By shown name.
    std::set<std::uint32_t> devices;
  };

  PhaseRows& rows_of(Phase phase);
  void add_metrics(NodeId node, const std::vector<Metric>& metrics);
  void see_now(NodeId node);
  void see(PhaseRows* phase, NodeId node, std::uint64_t ns);

  const ContextTree& contexts_;
  Phase phase_ = 0;
  std::map<Phase, PhaseRows> phases_;
  PhaseRows* last_rows_ = nullptr;  // Of last_phase_; saves a search per activity.
  Phase last_phase_ = 0;
};

}  // namespace proton_xpu
