// On which lane (`tid`) of a trace each thing is drawn.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "data/trace_data.h"

namespace proton_xpu {

/// Threads have their number as lane, queues have lanes from 200000 on. Slices of one lane must
/// not overlap: what a queue runs while its lane is busy gets a lane from 300000 on.
class TraceLanes {
 public:
  struct NewLane {
    std::uint32_t tid;
    std::string name;
  };

  /// The lane of an activity. Those of one queue must come by rising start.
  std::uint32_t place(const ActivitySlice& activity);

  /// Lanes that place() has begun since the last call.
  std::vector<NewLane> take_new_lanes() { return std::exchange(new_lanes_, {}); }

 private:
  struct Lane {
    std::uint32_t tid;
    std::uint64_t busy_until_ns;
  };
  struct Queue {
    std::string name;
    std::vector<Lane> lanes;
  };

  Lane& new_lane(Queue* queue, const ActivitySlice& activity);

  std::map<std::pair<std::uint32_t, std::uint64_t>, Queue> queues_;  // By device and queue.
  std::uint32_t overlap_lanes_ = 0;
  std::vector<NewLane> new_lanes_;
};

}  // namespace proton_xpu
