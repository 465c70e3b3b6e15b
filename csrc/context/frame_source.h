// Where a session with the "python" context gets the calling thread's frames from. The core knows
// no Python: the binding puts its walker here.
#pragma once

#include <vector>

#include "context/name_table.h"

namespace proton_xpu {

/// Fills `frames` with the names of the calling thread's frames, the outermost first. Must be
/// callable from any thread and must not wait for a lock that the caller's callers may hold.
using FrameWalker = void (*)(std::vector<NameId>& frames);

/// Without a walker every thread has no frames.
void set_frame_walker(FrameWalker walker);

void walk_frames(std::vector<NameId>& frames);

}  // namespace proton_xpu
