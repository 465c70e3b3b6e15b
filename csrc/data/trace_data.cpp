#include "data/trace_data.h"

#include <algorithm>
#include <string>
#include <utility>

#include "context/host_clock.h"

namespace proton_xpu {
namespace {

// Traces keep the names that the user gave, so metrics meet under those.
void add_by_given_name(const Metric& metric, std::vector<Metric>* held) {
  const auto place =
      std::lower_bound(held->begin(), held->end(), metric,
                       [](const Metric& a, const Metric& b) { return a.name < b.name; });
  if (place == held->end() || place->name != metric.name) {
    held->insert(place, metric);
    return;
  }
  std::vector<Metric> shown = {
      {std::string(metric_display_name(place->name)), std::move(place->value)}};
  accumulate(metric, &shown);
  place->value = std::move(shown.front().value);
}

void add_all(const std::vector<Metric>& metrics, std::vector<Metric>* held) {
  std::vector<Metric> sum = *held;
  for (const Metric& metric : metrics) {
    add_by_given_name(metric, &sum);
  }
  *held = std::move(sum);
}

}  // namespace

TraceData::TraceData(MakeSink make_sink, std::size_t slices_per_chunk)
    : make_sink_(std::move(make_sink)), slices_per_chunk_(slices_per_chunk) {
  phases_[0];
}

std::uint32_t TraceData::thread_number(OsThread thread) {
  const auto number = static_cast<std::uint32_t>(thread_numbers_.size());
  return thread_numbers_.emplace(thread, number).first->second;
}

TraceData::PhaseTrace& TraceData::trace_of(Phase phase) {
  PhaseTrace& trace = phases_[phase];
  if (trace.sink == nullptr) {
    trace.sink = make_sink_(phase);
  }
  return trace;
}

void TraceData::hand_on_if_full(PhaseTrace* trace) {
  if (trace->chunk.scopes.size() >= slices_per_chunk_ ||
      trace->chunk.activities.size() >= slices_per_chunk_) {
    trace->sink->write(std::exchange(trace->chunk, TraceChunk()));
  }
}

void TraceData::enter_scope(OsThread thread, ScopeId scope, NodeId node) {
  const std::uint32_t number = thread_number(thread);
  open_scopes_.insert_or_assign(scope,
                                OpenScope{phase_, {number, host_now_ns(), 0, node, scope, {}}});
}

// A scope belongs to the phase in which it was opened, or to the present one if that is cleared.
void TraceData::exit_scope(ScopeId scope) {
  const auto found = open_scopes_.find(scope);
  if (found == open_scopes_.end()) {
    return;
  }
  OpenScope open = std::move(found->second);
  open_scopes_.erase(found);
  open.slice.end_ns = host_now_ns();
  PhaseTrace& trace = trace_of(phases_.count(open.phase) != 0 ? open.phase : phase_);
  trace.chunk.scopes.push_back(std::move(open.slice));
  hand_on_if_full(&trace);
}

void TraceData::enter_op(OsThread thread, NodeId) { open_ops_[thread] = nullptr; }

void TraceData::exit_op(OsThread thread) { open_ops_.erase(thread); }

void TraceData::add_scope_metrics(ScopeId scope, NodeId, const std::vector<Metric>& metrics) {
  const auto found = open_scopes_.find(scope);
  if (found != open_scopes_.end()) {
    add_all(metrics, &found->second.slice.metrics);
  }
}

void TraceData::add_op_metrics(OsThread thread, NodeId, const std::vector<Metric>& metrics) {
  const auto found = open_ops_.find(thread);
  if (found == open_ops_.end()) {
    return;
  }
  std::vector<Metric> sum;
  if (found->second != nullptr) {
    sum = *found->second;
  }
  add_all(metrics, &sum);
  found->second = std::make_shared<const std::vector<Metric>>(std::move(sum));
}

OpMetrics TraceData::op_metrics(OsThread thread) const {
  const auto found = open_ops_.find(thread);
  return found == open_ops_.end() ? nullptr : found->second;
}

void TraceData::add_activity(const Placement& placement, const Activity& activity) {
  PhaseTrace& trace = trace_of(placement.phase);
  trace.chunk.activities.push_back({placement.node, activity.kind, activity.direction,
                                    activity.device, thread_number(activity.thread_id),
                                    activity.queue, activity.append_ns, activity.start_ns,
                                    activity.end_ns, activity.bytes, placement.op_metrics});
  hand_on_if_full(&trace);
}

Phase TraceData::advance_phase() {
  phases_[++phase_];
  return phase_;
}

void TraceData::clear(Phase phase, bool up_to) {
  phases_.erase(up_to ? phases_.begin() : phases_.lower_bound(phase), phases_.upper_bound(phase));
  phases_[phase_];
}

std::vector<Phase> TraceData::held_phases() const {
  std::vector<Phase> held;
  for (const auto& [phase, trace] : phases_) {
    held.push_back(phase);
  }
  return held;
}

TraceSink& TraceData::drain(Phase phase) {
  PhaseTrace& trace = trace_of(phase);
  if (!trace.chunk.empty()) {
    trace.sink->write(std::exchange(trace.chunk, TraceChunk()));
  }
  return *trace.sink;
}

}  // namespace proton_xpu
