#include "context/frame_source.h"

#include <atomic>

namespace proton_xpu {
namespace {

std::atomic<FrameWalker> current_walker{nullptr};

}  // namespace

void set_frame_walker(FrameWalker walker) { current_walker.store(walker); }

void walk_frames(std::vector<NameId>& frames) {
  frames.clear();
  if (const FrameWalker walker = current_walker.load(std::memory_order_acquire)) {
    walker(frames);
  }
}

}  // namespace proton_xpu
