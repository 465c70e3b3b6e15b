// Activities for tests.
#pragma once

#include "tracer/tracer.h"

namespace proton_xpu {

/// A kernel on device 0, queue 1, appended, started and ended at these times.
inline Activity kernel_activity(std::uint64_t append_ns, std::uint64_t start_ns,
                                std::uint64_t end_ns, const char* name = "kernel") {
  Activity activity{};
  activity.kind = ActivityKind::kKernel;
  activity.name = name;
  activity.queue = 1;
  activity.append_ns = append_ns;
  activity.start_ns = start_ns;
  activity.end_ns = end_ns;
  return activity;
}

}  // namespace proton_xpu
