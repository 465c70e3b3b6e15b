// Every scope and every activity, one by one, handed on in chunks so that memory stays bounded.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "data/profile_data.h"

namespace proton_xpu {

struct ScopeSlice {
  std::uint32_t thread;  ///< Number of the thread in the trace.
  std::uint64_t start_ns;
  std::uint64_t end_ns;
  NodeId node;
  ScopeId scope;
  std::vector<Metric> metrics;  ///< By the names that the user gave, in alphabetical order.
};

struct ActivitySlice {
  NodeId node;
  ActivityKind kind;
  CopyDirection direction;
  std::uint32_t device;
  std::uint32_t thread;  ///< Number of the launching thread in the trace.
  std::uint64_t queue;
  std::uint64_t append_ns;
  std::uint64_t start_ns;
  std::uint64_t end_ns;
  std::uint64_t bytes;
  OpMetrics op_metrics;
};

struct TraceChunk {
  std::vector<ScopeSlice> scopes;
  std::vector<ActivitySlice> activities;

  bool empty() const { return scopes.empty() && activities.empty(); }
};

/// Takes the chunks of one phase.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  /// Must not throw: what goes wrong is told when the trace is finished.
  virtual void write(TraceChunk chunk) noexcept = 0;
};

/// Threads are numbered from 0 in the order in which they are seen.
class TraceData final : public ProfileData {
 public:
  using MakeSink = std::function<std::unique_ptr<TraceSink>(Phase)>;

  /// A chunk is handed on once it has `slices_per_chunk` scopes or activities.
  explicit TraceData(MakeSink make_sink, std::size_t slices_per_chunk = 32768);

  void enter_scope(OsThread thread, ScopeId scope, NodeId node) override;
  void exit_scope(ScopeId scope) override;
  void enter_op(OsThread thread, NodeId node) override;
  void exit_op(OsThread thread) override;
  void add_scope_metrics(ScopeId scope, NodeId node, const std::vector<Metric>& metrics) override;
  void add_op_metrics(OsThread thread, NodeId node, const std::vector<Metric>& metrics) override;
  OpMetrics op_metrics(OsThread thread) const override;
  void add_activity(const Placement& placement, const Activity& activity) override;

  Phase phase() const override { return phase_; }
  Phase advance_phase() override;
  void clear(Phase phase, bool up_to) override;
  std::vector<Phase> held_phases() const override;

  /// Hands on what the phase still has here, and returns where it went.
  TraceSink& drain(Phase phase);

 private:
  struct OpenScope {
    Phase phase;
    ScopeSlice slice;  // Without its end.
  };
  struct PhaseTrace {
    std::unique_ptr<TraceSink> sink;
    TraceChunk chunk;
  };

  std::uint32_t thread_number(OsThread thread);
  PhaseTrace& trace_of(Phase phase);
  void hand_on_if_full(PhaseTrace* trace);

  const MakeSink make_sink_;
  const std::size_t slices_per_chunk_;
  Phase phase_ = 0;
  std::map<Phase, PhaseTrace> phases_;
  std::unordered_map<OsThread, std::uint32_t> thread_numbers_;
  std::unordered_map<ScopeId, OpenScope> open_scopes_;
  std::unordered_map<OsThread, OpMetrics> open_ops_;
};

}  // namespace proton_xpu
