#include "session/launch_router.h"

#include "session/session_fixture.h"

namespace proton_xpu {
namespace {

class LaunchRouterTest : public SessionFixture {
 protected:
  void launch_copy(CopyDirection direction, std::uint64_t bytes) {
    Activity copy{};
    copy.kind = ActivityKind::kCopy;
    copy.direction = direction;
    copy.bytes = bytes;
    gpu_.launch(copy, "copy", 10);
  }

  void launch_fill(std::uint64_t bytes) {
    Activity fill{};
    fill.kind = ActivityKind::kFill;
    fill.bytes = bytes;
    gpu_.launch(fill, "fill", 10);
  }
};

TEST_F(LaunchRouterTest, AddsUpTimesExactly) {
  start("a");
  for (std::uint64_t i = 1; i <= 1000; ++i) {
    gpu_.launch("k", i);
  }
  gpu_.launch("zero", 0);
  manager_.finalize_all("");
  const json root = read("a.hatchet")[0];
  EXPECT_EQ(root["children"][0]["metrics"]["time (ns)"], 500500);
  EXPECT_EQ(root["children"][0]["metrics"]["count"], 1000);
  EXPECT_EQ(root["children"][1]["metrics"]["count"], 1);
  EXPECT_EQ(root["children"][1]["metrics"]["time (ns)"], 0);
  EXPECT_EQ(root["metrics"], json({{"count", 0}, {"time (ns)", 0}}));
}

TEST_F(LaunchRouterTest, ShowsDemangledNames) {
  start("a");
  gpu_.launch("_Z3addPfi");
  manager_.finalize_all("");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(add(float*, int)*1)");
}

TEST_F(LaunchRouterTest, CountsCopiesAndFillsWithoutShowingThem) {
  start("a");
  launch_copy(CopyDirection::kHostToDevice, 100);
  launch_fill(50);
  gpu_.launch("k");
  manager_.finalize_all("");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(k*1)");
  const json counters = accounting("a.hatchet");
  EXPECT_EQ(counters["launches"], 3);
  EXPECT_EQ(counters["kernels"], 1);
  EXPECT_EQ(counters["copies"], 1);
  EXPECT_EQ(counters["fills"], 1);
}

TEST_F(LaunchRouterTest, ShowsCopiesAndFillsWhenAsked) {
  start("a", "tree", "memory_ops");
  in_scope("s", [&] {
    launch_copy(CopyDirection::kHostToDevice, 100);
    launch_copy(CopyDirection::kHostToDevice, 20);
    launch_copy(CopyDirection::kDeviceToHost, 8);
    launch_fill(50);
  });
  manager_.finalize_all("");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(s(<memcpy:H2D>*2 <memcpy:D2H>*1 <memset>*1))");
  const json scope = read("a.hatchet")[0]["children"][0];
  EXPECT_EQ(scope["children"][0]["metrics"]["bytes"], 120);
  EXPECT_EQ(scope["children"][0]["metrics"]["time (ns)"], 20);
  EXPECT_EQ(scope["children"][2]["metrics"]["bytes"], 50);
}

TEST_F(LaunchRouterTest, CountsARecordThatEndsBeforeItStartsAsUntimed) {
  start("a");
  gpu_.launch("k", static_cast<std::uint64_t>(-100));
  const auto sentences = manager_.finalize_all("");
  EXPECT_EQ(sentences.size(), 1u);
  EXPECT_EQ(tree("a.hatchet"), "ROOT");
  EXPECT_EQ(accounting("a.hatchet")["untimed_bad_timestamp"], 1);
}

TEST_F(LaunchRouterTest, IgnoresLaunchesWithoutAnActiveSession) {
  const int session = start("a");
  manager_.deactivate(session, false);
  gpu_.launch("k");
  manager_.activate(session);
  manager_.finalize_all("");
  EXPECT_EQ(accounting("a.hatchet")["launches"], 0);
}

TEST_F(LaunchRouterTest, IgnoresRecordsOfAFinalizedSession) {
  start("a");
  start("b");
  gpu_.launch("k");
  gpu_.swallow_last_record();
  EXPECT_EQ(manager_.finalize(0, "").size(), 1u);
  gpu_.launch("k");
  manager_.finalize_all("");
  EXPECT_EQ(tree("b.hatchet"), "ROOT(k*1)");
  EXPECT_EQ(accounting("b.hatchet")["lost"], 1);
}

TEST_F(LaunchRouterTest, GivesUpWhatIsUnderWayWhenTheTracerStops) {
  const int a = start("a");
  const int b = start("b");
  gpu_.launch("gone");
  gpu_.swallow_last_record();
  manager_.deactivate(b, false);
  manager_.finalize(a, "");
  manager_.activate(b);
  gpu_.launch("new");  // Its tracer counts from 1 again.
  manager_.finalize(b, "");
  EXPECT_EQ(tree("b.hatchet"), "ROOT(new*1)");
  EXPECT_EQ(accounting("b.hatchet")["lost"], 1);
}

TEST_F(LaunchRouterTest, NamesTheDevicesThatWereUsed) {
  start("a");
  Activity kernel{};
  kernel.kind = ActivityKind::kKernel;
  kernel.device = 3;
  gpu_.launch(kernel, "k", 10);
  manager_.finalize_all("");
  const json read_back = read("a.hatchet");
  EXPECT_EQ(read_back[0]["children"][0]["metrics"]["device_id"], "3");
  EXPECT_EQ(read_back[0]["children"][0]["metrics"]["device_type"], "XPU");
  EXPECT_EQ(read_back[1], json({{"XPU", {{"3", {{"arch", "pvc"}, {"num_sms", 67}}}}}}));
}

TEST_F(LaunchRouterTest, CountsEachRunOfACommandListWhereItWasAppended) {
  start("a");
  std::uint64_t appended = 0;
  std::uint64_t never_run = 0;
  in_scope("recorded", [&] {
    appended = gpu_.append();
    never_run = gpu_.append();
  });
  in_scope("replayed", [&] {
    for (int i = 0; i < 3; ++i) {
      gpu_.run(appended, "k", 100);
    }
  });
  EXPECT_NE(never_run, appended);
  EXPECT_TRUE(manager_.finalize_all("").empty());
  EXPECT_EQ(tree("a.hatchet"), "ROOT(recorded(k*3) replayed)");
  EXPECT_EQ(accounting("a.hatchet")["launches"], 3);
  EXPECT_EQ(accounting("a.hatchet")["kernels"], 3);
}

TEST_F(LaunchRouterTest, TellsTheCountersOfALiveSession) {
  const int session = start("a");
  gpu_.launch("k");
  gpu_.launch("k");
  EXPECT_EQ(manager_.accounting(session).launches, 2u);
  EXPECT_EQ(manager_.accounting(session).pending(), 2u);
  gpu_.deliver();
  EXPECT_EQ(manager_.accounting(session).kernels, 2u);
  EXPECT_EQ(manager_.accounting(session).pending(), 0u);
}

}  // namespace
}  // namespace proton_xpu
