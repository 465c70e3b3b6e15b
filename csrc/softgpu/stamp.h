// Operations that write time stamps to memory.
#pragma once

#include <level_zero/ze_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "softgpu/command.h"

namespace softgpu {

class DeviceClock;
class Event;

/// The stamps as zeEventQueryKernelTimestamp gives them.
ze_kernel_timestamp_result_t kernel_stamps(const EventState& state, const DeviceClock& clock);

/// Writes the device's time, in ticks.
std::shared_ptr<const Operation> make_global_stamp(std::uint64_t* destination);

/// Writes the stamps of each event at its offset, or one after the other if there are no offsets.
std::shared_ptr<const Operation> make_kernel_stamp_query(std::vector<std::shared_ptr<Event>> events,
                                                         void* destination,
                                                         const std::size_t* offsets);

}  // namespace softgpu
