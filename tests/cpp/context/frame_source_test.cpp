#include "context/frame_source.h"

#include <gtest/gtest.h>

namespace proton_xpu {
namespace {

TEST(FrameSource, HasNoFramesWithoutAWalker) {
  set_frame_walker(nullptr);
  std::vector<NameId> frames = {1, 2};
  walk_frames(frames);
  EXPECT_TRUE(frames.empty());
}

TEST(FrameSource, FillsAnEmptiedVector) {
  set_frame_walker([](std::vector<NameId>& frames) { frames.push_back(7); });
  std::vector<NameId> frames = {1, 2};
  walk_frames(frames);
  EXPECT_EQ(frames, std::vector<NameId>({7}));
  set_frame_walker(nullptr);
}

}  // namespace
}  // namespace proton_xpu
