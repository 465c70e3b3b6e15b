#include "format/trace_lanes.h"

namespace proton_xpu {
namespace {

constexpr std::uint32_t kFirstQueueLane = 200000;
constexpr std::uint32_t kFirstOverlapLane = 300000;

}  // namespace

TraceLanes::Lane& TraceLanes::new_lane(Queue* queue, const ActivitySlice& activity) {
  NewLane lane;
  if (queue->lanes.empty()) {
    const auto number = static_cast<std::uint32_t>(queues_.size() - 1);
    queue->name = "GPU Stream " + std::to_string(number);
    if (activity.device != 0) {
      queue->name += " (device " + std::to_string(activity.device) + ")";
    }
    lane = {kFirstQueueLane + number, queue->name};
  } else {
    lane = {kFirstOverlapLane + overlap_lanes_++,
            queue->name + ", overlap " + std::to_string(queue->lanes.size())};
  }
  new_lanes_.push_back(lane);
  return queue->lanes.emplace_back(Lane{lane.tid, 0});
}

std::uint32_t TraceLanes::place(const ActivitySlice& activity) {
  Queue& queue = queues_[{activity.device, activity.queue}];
  Lane* free_lane = nullptr;
  for (Lane& lane : queue.lanes) {
    if (lane.busy_until_ns <= activity.start_ns) {
      free_lane = &lane;
      break;
    }
  }
  if (free_lane == nullptr) {
    free_lane = &new_lane(&queue, activity);
  }
  free_lane->busy_until_ns = activity.end_ns;
  return free_lane->tid;
}

}  // namespace proton_xpu
