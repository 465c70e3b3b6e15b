#include "data/tree_data.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "support/activities.h"

namespace proton_xpu {
namespace {

class TreeDataTest : public ::testing::Test {
 protected:
  NodeId node(NodeId parent, std::string_view name) {
    return contexts_.child(parent, NameTable::instance().intern(name));
  }
  NodeId node(std::string_view name) { return node(ContextTree::kRoot, name); }

  void add_kernel(NodeId at, std::uint64_t append_ns, std::uint64_t duration_ns, Phase phase = 0) {
    data_.add_activity({at, phase, nullptr},
                       kernel_activity(append_ns, append_ns + 5, append_ns + 5 + duration_ns));
  }

  static std::vector<std::string> children(const TreeSnapshot& tree, std::uint32_t of = 0) {
    std::vector<std::string> names;
    for (const std::uint32_t child : tree.nodes[of].children) {
      names.emplace_back(tree.nodes[child].name);
    }
    return names;
  }

  ContextTree contexts_;
  TreeData data_{contexts_};
};

TEST_F(TreeDataTest, IsARootAtFirst) {
  const TreeSnapshot tree = data_.snapshot(0);
  ASSERT_EQ(tree.nodes.size(), 1u);
  EXPECT_EQ(tree.nodes[0].name, "ROOT");
  EXPECT_FALSE(tree.has_kernels);
  EXPECT_TRUE(tree.devices.empty());
}

TEST_F(TreeDataTest, AddsUpKernels) {
  const NodeId kernel = node(node("scope"), "k");
  add_kernel(kernel, 100, 7);
  add_kernel(kernel, 200, 0);
  add_kernel(kernel, 300, 13);
  const TreeSnapshot tree = data_.snapshot(0);
  ASSERT_EQ(tree.nodes.size(), 3u);
  EXPECT_EQ(tree.nodes[1].row.count, 0u);
  EXPECT_EQ(tree.nodes[2].name, "k");
  EXPECT_EQ(tree.nodes[2].row.count, 3u);
  EXPECT_EQ(tree.nodes[2].row.time_ns, 20u);
  EXPECT_TRUE(tree.has_kernels);
}

TEST_F(TreeDataTest, OrdersSiblingsByTheirFirstLaunch) {
  const NodeId a = node("a");
  const NodeId b = node("b");
  const NodeId c = node("c");
  add_kernel(a, 300, 1);
  add_kernel(b, 200, 1);
  add_kernel(c, 250, 1);
  add_kernel(a, 210, 1);  // Its record came last, its launch was second.
  EXPECT_EQ(children(data_.snapshot(0)), std::vector<std::string>({"b", "a", "c"}));
}

TEST_F(TreeDataTest, OrdersAnOpenedScopeBeforeLaterLaunches) {
  data_.enter_scope(1, 1, node("scope"));
  const std::uint64_t later = data_.snapshot(0).nodes[1].row.first_seen_ns + 1;
  add_kernel(node("k"), later, 1);
  add_kernel(node(node("other"), "k"), later - 2, 1);
  EXPECT_EQ(children(data_.snapshot(0)), std::vector<std::string>({"other", "scope", "k"}));
}

TEST_F(TreeDataTest, KeepsTheLastDeviceOfANodeAndAllOfThePhase) {
  Activity activity = kernel_activity(1, 2, 3);
  activity.device = 3;
  data_.add_activity({node("k"), 0, nullptr}, activity);
  activity.device = 1;
  data_.add_activity({node("k"), 0, nullptr}, activity);
  const TreeSnapshot tree = data_.snapshot(0);
  EXPECT_EQ(tree.nodes[1].row.device, 1u);
  EXPECT_EQ(tree.devices, std::vector<std::uint32_t>({1, 3}));
}

TEST_F(TreeDataTest, SumsMetricsAndListsThemByName) {
  data_.add_scope_metrics(1, node("s"), {{"z", std::int64_t{1}}, {"a (exc)", 0.5}});
  data_.add_op_metrics(1, node("s"), {{"z", std::int64_t{2}}});
  const TreeSnapshot tree = data_.snapshot(0);
  ASSERT_EQ(tree.nodes[1].metrics.size(), 2u);
  EXPECT_EQ(tree.nodes[1].metrics[0].name, "a");
  EXPECT_EQ(std::get<std::int64_t>(tree.nodes[1].metrics[1].value), 3);
}

TEST_F(TreeDataTest, SumsTheBytesOfCopies) {
  Activity copy = kernel_activity(1, 2, 3);
  copy.kind = ActivityKind::kCopy;
  copy.bytes = 40;
  data_.add_activity({node("c"), 0, nullptr}, copy);
  copy.bytes = 2;
  data_.add_activity({node("c"), 0, nullptr}, copy);
  const TreeSnapshot tree = data_.snapshot(0);
  EXPECT_EQ(std::get<std::int64_t>(tree.nodes[1].metrics.at(0).value), 42);
}

TEST_F(TreeDataTest, PutsActivitiesIntoThePhaseOfTheirLaunch) {
  add_kernel(node("p0"), 1, 10);
  EXPECT_EQ(data_.advance_phase(), 1u);
  add_kernel(node("late"), 2, 10, 0);
  add_kernel(node("p1"), 3, 10, 1);
  EXPECT_EQ(children(data_.snapshot(0)), std::vector<std::string>({"p0", "late"}));
  EXPECT_EQ(children(data_.snapshot(1)), std::vector<std::string>({"p1"}));
  EXPECT_EQ(data_.held_phases(), std::vector<Phase>({0, 1}));
}

TEST_F(TreeDataTest, TakesMetricsOfAScopeThatWasOpenedInAnEarlierPhase) {
  const NodeId scope = node("scope");
  data_.enter_scope(1, 1, scope);
  data_.advance_phase();
  data_.add_scope_metrics(1, scope, {{"m", std::int64_t{4}}});
  EXPECT_EQ(children(data_.snapshot(1)), std::vector<std::string>({"scope"}));
  EXPECT_TRUE(data_.snapshot(0).nodes[1].metrics.empty());
}

TEST_F(TreeDataTest, ClearsOnePhaseOrAllUpToOne) {
  for (int i = 0; i < 3; ++i) {
    data_.advance_phase();
  }
  data_.clear(1, false);
  EXPECT_EQ(data_.held_phases(), std::vector<Phase>({0, 2, 3}));
  data_.clear(2, true);
  EXPECT_EQ(data_.held_phases(), std::vector<Phase>({3}));
  data_.clear(17, false);
  EXPECT_EQ(data_.held_phases(), std::vector<Phase>({3}));
}

TEST_F(TreeDataTest, MakesThePresentPhaseAnewWhenItIsCleared) {
  add_kernel(node("k"), 1, 1);
  data_.clear(0, false);
  EXPECT_TRUE(children(data_.snapshot(0)).empty());
  add_kernel(node("k"), 2, 1);
  EXPECT_EQ(data_.snapshot(0).nodes[1].row.count, 1u);
}

TEST_F(TreeDataTest, HasNoSnapshotOfAPhaseThatItDoesNotHold) {
  try {
    data_.snapshot(7);
    FAIL();
  } catch (const std::out_of_range& error) {
    EXPECT_STREQ(error.what(), "[PROTON] Phase 7 has no data.");
  }
}

}  // namespace
}  // namespace proton_xpu
