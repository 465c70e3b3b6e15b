#include "session/session_manager.h"

#include "session/session_fixture.h"

namespace proton_xpu {
namespace {

using SessionManagerTest = SessionFixture;

TEST_F(SessionManagerTest, NumbersSessionsFromZero) {
  EXPECT_EQ(start("a"), 0);
  EXPECT_EQ(start("b"), 1);
  manager_.finalize(0, "");
  EXPECT_EQ(start("a"), 2);
}

TEST_F(SessionManagerTest, FindsALiveSessionByItsName) {
  const int session = start("a");
  manager_.deactivate(session, false);
  EXPECT_EQ(manager_.start(folder_ / "a", "nope", "nope", "nope", "nope"), session);
  gpu_.launch("k");
  manager_.finalize(session, "");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(k*1)");
}

TEST_F(SessionManagerTest, BurnsAnIdWithEachFailedStart) {
  EXPECT_THROW(start("a", "nope"), std::invalid_argument);
  EXPECT_EQ(start("a"), 1);
}

TEST_F(SessionManagerTest, RefusesUnknownWordsInProtonsOrder) {
  using Refused = std::invalid_argument;
  EXPECT_EQ(error_of<Refused>([&] { manager_.start("-", "no", "no", "zz", "no"); }),
            "[PROTON] Unknown profiler: zz");
  EXPECT_EQ(error_of<Refused>([&] { manager_.start("-", "no", "no", "xpupti", "no"); }),
            "[PROTON] XpuptiProfiler: unsupported mode: no");
  EXPECT_EQ(error_of<Refused>([&] { manager_.start("-", "no", "no", "xpupti", ""); }),
            "[PROTON] Unknown context source: no");
  EXPECT_EQ(error_of<Refused>([&] { manager_.start("-", "shadow", "no", "xpupti", ""); }),
            "[PROTON] Unknown data: no");
  EXPECT_FALSE(gpu_.is_traced());
}

TEST_F(SessionManagerTest, RefusesAModeUnlikeThatOfTheOthers) {
  const int session = start("a");
  manager_.deactivate(session, false);
  EXPECT_EQ(error_of<std::invalid_argument>([&] { start("b", "tree", "periodic_flushing"); }),
            "[PROTON] Cannot add a session with the same profiler but a different mode than "
            "existing sessions");
  manager_.finalize(session, "");
  EXPECT_EQ(start("b", "tree", "periodic_flushing"), 2);
}

TEST_F(SessionManagerTest, RefusesAPeriodicFormatThatDoesNotFitTheData) {
  EXPECT_THROW(start("a", "tree", "periodic_flushing:format=chrome_trace"), std::invalid_argument);
  EXPECT_THROW(start("a", "trace", "periodic_flushing"), std::invalid_argument);
}

TEST_F(SessionManagerTest, RefusesANameThatCannotBeWritten) {
  EXPECT_THROW(start("no/such/folder/p"), std::invalid_argument);
  EXPECT_FALSE(gpu_.is_traced());
}

TEST_F(SessionManagerTest, AcceptsItsBackendsInAnyCaseAndAuto) {
  manager_.start(folder_ / "a", "Shadow", "TREE", "XpuPti", "");
  manager_.start(folder_ / "b", "shadow", "tree", "auto", "");
  EXPECT_EQ(gpu_.starts(), 1);
}

TEST_F(SessionManagerTest, LeavesNothingBehindWhenTheTracerCannotStart) {
  gpu_.fail_start("No GPU here.");
  EXPECT_EQ(error_of<std::runtime_error>([&] { start("a"); }), "[PROTON] No GPU here.");
  manager_.finalize_all("");
  EXPECT_TRUE(folder_.files().empty());
  EXPECT_EQ(start("a"), 1);
  EXPECT_TRUE(gpu_.is_traced());
}

TEST_F(SessionManagerTest, KnowsNoSessionThatWasNotStarted) {
  using Unknown = std::out_of_range;
  const std::string message = "[PROTON] Session has not been initialized: 4711";
  EXPECT_EQ(error_of<Unknown>([&] { manager_.activate(4711); }), message);
  EXPECT_EQ(error_of<Unknown>([&] { manager_.deactivate(4711, true); }), message);
  EXPECT_EQ(error_of<Unknown>([&] { manager_.depth(4711); }), message);
  EXPECT_EQ(error_of<Unknown>([&] { manager_.json(4711, 0); }), message);
  EXPECT_EQ(error_of<Unknown>([&] { manager_.advance_phase(4711); }), message);
  EXPECT_EQ(error_of<Unknown>([&] { manager_.accounting(4711); }), message);
  EXPECT_EQ(error_of<Unknown>([&] { manager_.write(4711, ""); }), message);
}

TEST_F(SessionManagerTest, IgnoresFinalizingWhatIsNotThere) {
  EXPECT_TRUE(manager_.finalize(4711, "").empty());
  EXPECT_TRUE(manager_.finalize_all("").empty());
}

TEST_F(SessionManagerTest, RecordsOnlyWhileActive) {
  const int session = start("a");
  in_scope("on", [&] { gpu_.launch("k"); });
  manager_.deactivate(session, false);
  in_scope("off", [&] { gpu_.launch("k"); });
  manager_.activate(session);
  in_scope("again", [&] { gpu_.launch("k"); });
  manager_.finalize(session, "");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(on(k*1) again(k*1))");
  EXPECT_EQ(accounting("a.hatchet")["launches"], 2);
}

TEST_F(SessionManagerTest, GivesRecordsToWhatWasActiveAtTheLaunch) {
  const int a = start("a");
  gpu_.launch("first");
  const int b = start("b");
  gpu_.launch("both");
  manager_.deactivate(a, false);
  gpu_.launch("only_b");
  manager_.finalize(b, "");
  manager_.finalize(a, "");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(first*1 both*1)");
  EXPECT_EQ(tree("b.hatchet"), "ROOT(both*1 only_b*1)");
}

TEST_F(SessionManagerTest, FlushesWhenAskedToOnDeactivation) {
  const int session = start("a");
  gpu_.launch("k");
  manager_.deactivate(session, false);
  EXPECT_EQ(gpu_.flushes(), 0);
  EXPECT_EQ(outline(json::parse(manager_.json(session, 0))[0]), "ROOT");
  manager_.deactivate(session, true);
  EXPECT_EQ(gpu_.flushes(), 1);
  EXPECT_EQ(outline(json::parse(manager_.json(session, 0))[0]), "ROOT(k*1)");
}

TEST_F(SessionManagerTest, TracesUntilTheLastActiveSessionIsFinalized) {
  const int a = start("a");
  const int b = start("b");
  manager_.finalize(a, "");
  EXPECT_TRUE(gpu_.is_traced());
  manager_.deactivate(b, false);
  EXPECT_TRUE(gpu_.is_traced());
  manager_.finalize(b, "");
  EXPECT_FALSE(gpu_.is_traced());
}

TEST_F(SessionManagerTest, StartsTheTracerAgain) {
  const int a = start("a");
  const int b = start("b");
  manager_.deactivate(b, false);
  manager_.finalize(a, "");
  EXPECT_FALSE(gpu_.is_traced());
  manager_.activate(b);
  EXPECT_TRUE(gpu_.is_traced());
  gpu_.launch("k");
  manager_.finalize(b, "");
  EXPECT_EQ(tree("b.hatchet"), "ROOT(k*1)");
}

TEST_F(SessionManagerTest, ActivatesAndDeactivatesAll) {
  start("a");
  start("b");
  manager_.deactivate_all(true);
  gpu_.launch("off");
  manager_.activate_all();
  gpu_.launch("on");
  manager_.finalize_all("");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(on*1)");
  EXPECT_EQ(tree("b.hatchet"), "ROOT(on*1)");
}

TEST_F(SessionManagerTest, KeepsASessionThatCouldNotBeWritten) {
  const int session = start("a");
  gpu_.launch("k");
  EXPECT_EQ(error_of<std::invalid_argument>([&] { manager_.finalize(session, "nope"); }),
            "[PROTON] Unknown output format: nope");
  EXPECT_EQ(error_of<std::invalid_argument>([&] { manager_.finalize(session, "chrome_trace"); }),
            "[PROTON] Output format not supported");
  EXPECT_TRUE(folder_.files().empty());
  gpu_.launch("too late: deactivated");
  manager_.finalize(session, "");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(k*1)");
}

TEST_F(SessionManagerTest, FinalizesTheOthersWhenOneFails) {
  start("a", "trace");
  start("b");
  gpu_.launch("k");
  EXPECT_THROW(manager_.finalize_all("hatchet"), std::invalid_argument);
  EXPECT_EQ(tree("b.hatchet"), "ROOT(k*1)");
  manager_.finalize_all("");
  EXPECT_EQ(folder_.files(), std::set<std::string>({"a.chrome_trace", "b.hatchet"}));
}

TEST_F(SessionManagerTest, WritesALiveSessionAndGoesOn) {
  const int session = start("a");
  gpu_.launch("k");
  manager_.write(session, "");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(k*1)");
  gpu_.launch("k");
  manager_.finalize(session, "");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(k*2)");
}

TEST_F(SessionManagerTest, TellsTheTracerThatRuns) {
  EXPECT_EQ(manager_.tracer_info().backend, "");
  start("a");
  EXPECT_EQ(manager_.tracer_info().backend, "xpupti");
  EXPECT_EQ(manager_.backends(), std::vector<std::string>({"xpupti"}));
  manager_.finalize_all("");
  EXPECT_EQ(read("a.hatchet")[0]["proton_xpu"]["tracer"]["library"], "scripted");
}

TEST_F(SessionManagerTest, WarnsOfLaunchesWithoutRecords) {
  const int session = start("a");
  gpu_.launch("k");
  gpu_.launch("gone");
  gpu_.swallow_last_record();
  gpu_.launch("dropped");
  gpu_.lose_last_record(LossReason::kBufferDropped);
  gpu_.launch("untimed");
  gpu_.lose_last_record(LossReason::kNoTimestamp);
  const std::vector<std::string> sentences = manager_.finalize(session, "");
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_EQ(sentences[0], "Session 0 (" + (folder_ / "a") +
                              "): 2 of 4 launches have no record and are missing from the "
                              "profile; its accounting says so.");
  EXPECT_EQ(sentences[1], "Session 0 (" + (folder_ / "a") +
                              "): 1 of 4 launches have a record without usable times and are "
                              "missing from the profile; its accounting says so.");
  const json counters = accounting("a.hatchet");
  EXPECT_EQ(counters["launches"], 4);
  EXPECT_EQ(counters["kernels"], 1);
  EXPECT_EQ(counters["lost"], 2);
  EXPECT_EQ(counters["lost_no_record"], 1);
  EXPECT_EQ(counters["lost_buffer_dropped"], 1);
  EXPECT_EQ(counters["untimed"], 1);
  EXPECT_EQ(counters["pending"], 0);
}

TEST_F(SessionManagerTest, WarnsOfNothingWhenNothingIsLost) {
  const int session = start("a");
  gpu_.launch("k");
  EXPECT_TRUE(manager_.finalize(session, "").empty());
}

}  // namespace
}  // namespace proton_xpu
