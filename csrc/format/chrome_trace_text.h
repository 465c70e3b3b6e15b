// Trace chunks as the events of Chrome's trace format.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "context/context_tree.h"
#include "data/trace_data.h"
#include "format/trace_lanes.h"

namespace proton_xpu {

/// What a trace's times count from.
struct TraceClock {
  std::uint64_t base_ns;        ///< CLOCK_MONOTONIC_RAW.
  std::uint64_t base_epoch_ns;  ///< The same moment since 1970.
};

/// Renders chunk after chunk. The first `full_activities` activities have all that there is: call
/// stack, metrics, a slice for the launch on its thread and an arrow from there. Later ones have
/// the slice on the queue only, with their call stack as a reference (`sf`) into stack_frames(),
/// so that a launch of a long trace costs a quarter.
class ChromeTraceText {
 public:
  ChromeTraceText(const ContextTree& contexts, TraceClock clock, std::size_t full_activities)
      : contexts_(contexts), clock_(clock), full_activities_left_(full_activities) {}

  /// The events of a chunk: each but the very first after a comma, a line break now and then.
  std::string events(TraceChunk chunk);

  /// The object that `sf` refers to, or nothing if nothing does.
  std::string stack_frames() const;

 private:
  void begin_event();
  void name_lanes(const TraceChunk& chunk, std::size_t full_activities);
  void name_lane(std::uint32_t tid, const std::string& name);
  void add_scope(const ScopeSlice& scope);
  void add_launch(const ActivitySlice& activity);
  void add_flow(const ActivitySlice& activity, std::uint32_t tid);
  void add_flow_end(char phase, std::uint32_t tid, std::uint64_t ns);
  void add_activity(const ActivitySlice& activity, std::uint32_t tid, bool is_full);
  void add_arguments(const ActivitySlice& activity);
  void add_microseconds(std::string_view key, std::uint64_t ns);
  void add_place(std::uint32_t tid, std::uint64_t start_ns);
  std::string_view call_stack(NodeId node);
  std::string_view name(NodeId node);

  const ContextTree& contexts_;
  const TraceClock clock_;
  std::size_t full_activities_left_;
  std::uint64_t flows_ = 0;
  std::size_t events_ = 0;
  std::string out_;
  TraceLanes lanes_;
  bool is_process_named_ = false;
  std::vector<bool> is_thread_named_;
  std::vector<bool> is_frame_used_;
  std::unordered_map<NodeId, std::string> call_stacks_;  // As JSON.
  std::unordered_map<NodeId, std::string> names_;        // As JSON.
};

}  // namespace proton_xpu
