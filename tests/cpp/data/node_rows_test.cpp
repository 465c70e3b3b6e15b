#include "data/node_rows.h"

#include <gtest/gtest.h>

#include <vector>

namespace proton_xpu {
namespace {

TEST(NodeRows, VisitsWhatWasSeenByRisingNode) {
  NodeRows rows;
  rows.at(100000).first_seen_ns = 1;
  rows.at(3).first_seen_ns = 2;
  rows.at(127).first_seen_ns = 3;
  rows.at(128).first_seen_ns = 4;
  rows.at(5).count = 9;  // Counted but not seen.
  std::vector<NodeId> visited;
  rows.for_each_seen([&visited](NodeId node, const NodeRow&) { visited.push_back(node); });
  EXPECT_EQ(visited, std::vector<NodeId>({3, 127, 128, 100000}));
}

TEST(NodeRows, KeepsRowsWhereTheyAre) {
  NodeRows rows;
  NodeRow* row = &rows.at(1);
  rows.at(1000000).count = 1;
  EXPECT_EQ(&rows.at(1), row);
}

}  // namespace
}  // namespace proton_xpu
