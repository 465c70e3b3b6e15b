// Named operations: what Triton's launch hooks open around a launch.
#include "session/session_fixture.h"

namespace proton_xpu {
namespace {

class OperationTest : public SessionFixture {
 protected:
  void in_op(std::string_view op, const std::function<void()>& body) {
    manager_.thread().enter_op(name(op));
    body();
    manager_.thread().exit_op();
  }
};

TEST_F(OperationTest, StandsForAllItsKernels) {
  start("a");
  in_scope("s", [&] {
    in_op("op", [&] {
      gpu_.launch("driver_name");
      gpu_.launch("second");
    });
    gpu_.launch("driver_name");
  });
  manager_.finalize_all("");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(s(op*2 driver_name*1))");
}

TEST_F(OperationTest, AppearsWithoutKernels) {
  start("a");
  in_op("op", [] {});
  manager_.finalize_all("");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(op)");
}

TEST_F(OperationTest, DoesNotNest) {
  start("a");
  in_op("outer", [&] {
    in_op("inner", [&] { gpu_.launch("k"); });
    gpu_.launch("after");
  });
  manager_.thread().exit_op();
  manager_.finalize_all("");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(outer*1 after*1)");
}

TEST_F(OperationTest, TakesTheMetricsWhateverTheScope) {
  start("a");
  in_scope("s", [&] {
    in_op("op", [&] {
      manager_.thread().add_metrics(4711, {{"flops32", 2.0}});
      gpu_.launch("k");
    });
  });
  manager_.finalize_all("");
  EXPECT_EQ(read("a.hatchet")[0]["children"][0]["children"][0]["metrics"]["flops32"], 2.0);
}

TEST_F(OperationTest, KeepsTheContextInWhichItBegan) {
  start("a");
  in_op("op", [&] { in_scope("inside", [&] { gpu_.launch("k"); }); });
  manager_.finalize_all("");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(op*1 inside)");
}

TEST_F(OperationTest, IsJoinedByASessionThatStartsInside) {
  start("a");
  in_op("op", [&] {
    start("b");
    gpu_.launch("k");
  });
  manager_.finalize_all("");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(op*1)");
  EXPECT_EQ(tree("b.hatchet"), "ROOT(op*1)");
}

TEST_F(OperationTest, EndsInSessionsThatWereDeactivatedInside) {
  const int session = start("a");
  in_op("op", [&] { manager_.deactivate(session, false); });
  manager_.activate(session);
  gpu_.launch("k");
  manager_.finalize_all("");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(op k*1)");
}

}  // namespace
}  // namespace proton_xpu
