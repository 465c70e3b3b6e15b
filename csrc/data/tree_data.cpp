#include "data/tree_data.h"

#include <algorithm>
#include <string>

#include "context/errors.h"
#include "context/host_clock.h"
#include "context/name_table.h"

namespace proton_xpu {
namespace {

std::vector<Metric> sorted(std::vector<Metric> metrics) {
  std::sort(metrics.begin(), metrics.end(),
            [](const Metric& a, const Metric& b) { return a.name < b.name; });
  return metrics;
}

}  // namespace

TreeData::PhaseRows& TreeData::rows_of(Phase phase) {
  if (last_rows_ == nullptr || last_phase_ != phase) {
    last_rows_ = &phases_[phase];
    last_phase_ = phase;
  }
  return *last_rows_;
}

// A node is as old as the oldest thing at or below it. Records come late and in any order, so the
// host time of a launch is what sorts siblings, not the time at which its record was read.
void TreeData::see(PhaseRows* phase, NodeId node, std::uint64_t ns) {
  ns = std::max<std::uint64_t>(ns, 1);
  for (;;) {
    std::uint64_t& first_seen_ns = phase->rows.at(node).first_seen_ns;
    if (first_seen_ns != 0 && first_seen_ns <= ns) {
      return;
    }
    first_seen_ns = ns;
    if (node == ContextTree::kRoot) {
      return;
    }
    node = contexts_.parent(node);
  }
}

void TreeData::see_now(NodeId node) {
  PhaseRows& phase = rows_of(phase_);
  if (phase.rows.at(node).first_seen_ns == 0) {
    see(&phase, node, host_now_ns());
  }
}

void TreeData::add_metrics(NodeId node, const std::vector<Metric>& metrics) {
  see_now(node);
  std::vector<Metric>& shown = rows_of(phase_).metrics[node];
  for (const Metric& metric : metrics) {
    accumulate(metric, &shown);
  }
}

void TreeData::settle_metrics(const Placement& placement, const std::vector<Metric>& values) {
  const auto held = phases_.find(placement.phase);
  if (held == phases_.end()) {
    return;
  }
  for (const Metric& value : values) {
    accumulate(value, &held->second.metrics[placement.node]);
  }
}

void TreeData::add_activity(const Placement& placement, const Activity& activity) {
  PhaseRows& rows = rows_of(placement.phase);
  NodeRow& row = rows.rows.at(placement.node);
  ++row.count;
  row.time_ns += activity.end_ns - activity.start_ns;
  if (row.device != activity.device) {
    row.device = activity.device;
    rows.devices.insert(activity.device);
  }
  if (activity.kind != ActivityKind::kKernel) {
    accumulate({"bytes", static_cast<std::int64_t>(activity.bytes)}, &rows.metrics[placement.node]);
  }
  see(&rows, placement.node, activity.append_ns);
}

Phase TreeData::advance_phase() {
  phases_[++phase_];
  return phase_;
}

void TreeData::clear(Phase phase, bool up_to) {
  phases_.erase(up_to ? phases_.begin() : phases_.lower_bound(phase), phases_.upper_bound(phase));
  phases_[phase_];
  last_rows_ = nullptr;
}

std::vector<Phase> TreeData::held_phases() const {
  std::vector<Phase> held;
  for (const auto& [phase, rows] : phases_) {
    held.push_back(phase);
  }
  return held;
}

TreeSnapshot TreeData::snapshot(Phase phase) const {
  const auto found = phases_.find(phase);
  if (found == phases_.end()) {
    throw_out_of_range("Phase " + std::to_string(phase) + " has no data.");
  }
  const PhaseRows& rows = found->second;
  const NameTable& names = NameTable::instance();

  TreeSnapshot snapshot;
  snapshot.nodes.emplace_back();
  snapshot.nodes.front().name = names.text(contexts_.name(ContextTree::kRoot));
  std::vector<std::uint32_t> index_of(contexts_.size(), 0);
  rows.rows.for_each_seen([&](NodeId node, const NodeRow& row) {
    if (node != ContextTree::kRoot) {
      index_of[node] = static_cast<std::uint32_t>(snapshot.nodes.size());
      snapshot.nodes.emplace_back();
      // Parents have smaller ids than their children, so theirs is known.
      snapshot.nodes[index_of[contexts_.parent(node)]].children.push_back(index_of[node]);
    }
    SnapshotNode& shown = snapshot.nodes[index_of[node]];
    shown.name = names.text(contexts_.name(node));
    shown.row = row;
    snapshot.has_kernels = snapshot.has_kernels || row.count != 0;
  });
  for (const auto& [node, metrics] : rows.metrics) {
    snapshot.nodes[index_of[node]].metrics = sorted(metrics);
  }
  for (SnapshotNode& node : snapshot.nodes) {
    std::stable_sort(
        node.children.begin(), node.children.end(), [&snapshot](std::uint32_t a, std::uint32_t b) {
          return snapshot.nodes[a].row.first_seen_ns < snapshot.nodes[b].row.first_seen_ns;
        });
  }
  snapshot.devices.assign(rows.devices.begin(), rows.devices.end());
  return snapshot;
}

}  // namespace proton_xpu
