#include "data/tree_data.h"

#include <algorithm>
#include <set>
#include <string>

#include "context/errors.h"
#include "context/host_clock.h"
#include "context/name_table.h"

namespace proton_xpu {
namespace {

std::vector<std::pair<std::string, MetricValue>> shown_metrics(const std::vector<Metric>& metrics) {
  std::map<std::string, MetricValue> shown;
  for (const Metric& metric : metrics) {
    shown[std::string(metric_display_name(metric.name))] = metric.value;
  }
  return {shown.begin(), shown.end()};
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

void TreeData::enter_scope(ScopeId, NodeId node) {
  PhaseRows& phase = rows_of(phase_);
  if (phase.rows.at(node).first_seen_ns == 0) {
    see(&phase, node, host_now_ns());
  }
}

void TreeData::enter_op(NodeId node) { enter_scope(0, node); }

void TreeData::add_metric(NodeId node, const Metric& metric) {
  std::vector<Metric>& held = rows_of(phase_).metrics[node];
  const auto found = std::find_if(held.begin(), held.end(), [&metric](const Metric& other) {
    return other.name == metric.name;
  });
  if (found == held.end()) {
    held.push_back(metric);
  } else {
    accumulate(metric.name, metric.value, &found->value);
  }
}

void TreeData::add_metrics(NodeId node, const std::vector<Metric>& metrics) {
  enter_scope(0, node);
  for (const Metric& metric : metrics) {
    add_metric(node, metric);
  }
}

void TreeData::add_scope_metrics(ScopeId, NodeId node, const std::vector<Metric>& metrics) {
  add_metrics(node, metrics);
}

void TreeData::add_op_metrics(NodeId node, const std::vector<Metric>& metrics) {
  add_metrics(node, metrics);
}

void TreeData::add_activity(NodeId node, Phase phase, const Activity& activity) {
  PhaseRows& rows = rows_of(phase);
  NodeRow& row = rows.rows.at(node);
  ++row.count;
  row.time_ns += activity.end_ns - activity.start_ns;
  row.device = activity.device;
  see(&rows, node, activity.append_ns);
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
  std::set<std::uint32_t> devices;
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
    if (row.count != 0) {
      snapshot.has_kernels = true;
      devices.insert(row.device);
    }
  });
  for (const auto& [node, metrics] : rows.metrics) {
    snapshot.nodes[index_of[node]].metrics = shown_metrics(metrics);
  }
  for (SnapshotNode& node : snapshot.nodes) {
    std::stable_sort(node.children.begin(), node.children.end(),
                     [&snapshot](std::uint32_t a, std::uint32_t b) {
                       return snapshot.nodes[a].row.first_seen_ns <
                              snapshot.nodes[b].row.first_seen_ns;
                     });
  }
  snapshot.devices.assign(devices.begin(), devices.end());
  return snapshot;
}

}  // namespace proton_xpu
