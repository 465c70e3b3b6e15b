#include "format/trace_lanes.h"

#include <gtest/gtest.h>

namespace proton_xpu {
namespace {

ActivitySlice slice(std::uint32_t device, std::uint64_t queue, std::uint64_t start,
                    std::uint64_t end) {
  ActivitySlice slice{};
  slice.device = device;
  slice.queue = queue;
  slice.start_ns = start;
  slice.end_ns = end;
  return slice;
}

TEST(TraceLanes, NumberQueuesInOrderOfUse) {
  TraceLanes lanes;
  EXPECT_EQ(lanes.place(slice(0, 0xFFFFFFFFFFFFFFFE, 0, 1)), 200000u);
  EXPECT_EQ(lanes.place(slice(0, 5, 0, 1)), 200001u);
  EXPECT_EQ(lanes.place(slice(1, 5, 0, 1)), 200002u);
  EXPECT_EQ(lanes.place(slice(0, 5, 1, 2)), 200001u);
  const auto added = lanes.take_new_lanes();
  ASSERT_EQ(added.size(), 3u);
  EXPECT_EQ(added[0].name, "GPU Stream 0");
  EXPECT_EQ(added[1].name, "GPU Stream 1");
  EXPECT_EQ(added[2].name, "GPU Stream 2 (device 1)");
  EXPECT_TRUE(lanes.take_new_lanes().empty());
}

TEST(TraceLanes, PutWhatOverlapsBeside) {
  TraceLanes lanes;
  EXPECT_EQ(lanes.place(slice(0, 1, 0, 100)), 200000u);
  EXPECT_EQ(lanes.place(slice(0, 1, 10, 20)), 300000u);
  EXPECT_EQ(lanes.place(slice(0, 1, 15, 30)), 300001u);
  EXPECT_EQ(lanes.place(slice(0, 1, 20, 25)), 300000u);
  EXPECT_EQ(lanes.place(slice(0, 1, 100, 110)), 200000u);
  EXPECT_EQ(lanes.take_new_lanes()[2].name, "GPU Stream 0, overlap 2");
}

}  // namespace
}  // namespace proton_xpu
