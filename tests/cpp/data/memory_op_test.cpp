#include "data/memory_op.h"

#include <gtest/gtest.h>

namespace proton_xpu {
namespace {

Activity copy(CopyDirection direction) {
  Activity activity{};
  activity.kind = ActivityKind::kCopy;
  activity.direction = direction;
  return activity;
}

TEST(MemoryOp, IsNamedByItsDirection) {
  EXPECT_EQ(memory_op_name(copy(CopyDirection::kHostToDevice)), "<memcpy:H2D>");
  EXPECT_EQ(memory_op_name(copy(CopyDirection::kDeviceToHost)), "<memcpy:D2H>");
  EXPECT_EQ(memory_op_name(copy(CopyDirection::kDeviceToDevice)), "<memcpy:D2D>");
  EXPECT_EQ(memory_op_name(copy(CopyDirection::kPeerToPeer)), "<memcpy:P2P>");
  EXPECT_EQ(memory_op_name(copy(CopyDirection::kHostToHost)), "<memcpy:H2H>");
  EXPECT_EQ(memory_op_name(copy(CopyDirection::kShared)), "<memcpy:shared>");
  EXPECT_EQ(memory_op_name(copy(CopyDirection::kUnknown)), "<memcpy>");
}

TEST(MemoryOp, IsAMemsetIfItFills) {
  Activity fill{};
  fill.kind = ActivityKind::kFill;
  EXPECT_EQ(memory_op_name(fill), "<memset>");
}

}  // namespace
}  // namespace proton_xpu
