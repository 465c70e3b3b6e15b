// Phases, and files written while the session goes on.
#include <filesystem>

#include "session/session_fixture.h"

namespace proton_xpu {
namespace {

using PhaseTest = SessionFixture;

TEST_F(PhaseTest, HoldsWhatIsLaunchedInIt) {
  const int session = start("a");
  in_scope("p0", [&] { gpu_.launch("add"); });
  EXPECT_EQ(manager_.advance_phase(session), 1u);
  in_scope("p1", [&] { gpu_.launch("mul"); });
  manager_.deactivate(session, true);
  EXPECT_EQ(outline(json::parse(manager_.json(session, 0))[0]), "ROOT(p0(add*1))");
  EXPECT_EQ(outline(json::parse(manager_.json(session, 1))[0]), "ROOT(p1(mul*1))");
  manager_.finalize(session, "");
  EXPECT_EQ(folder_.files(), std::set<std::string>({"a.part_0.hatchet", "a.part_1.hatchet"}));
  EXPECT_EQ(tree("a.part_0.hatchet"), "ROOT(p0(add*1))");
  EXPECT_EQ(tree("a.part_1.hatchet"), "ROOT(p1(mul*1))");
}

TEST_F(PhaseTest, IsCompleteAfterAFlushInALaterOne) {
  const int session = start("a");
  gpu_.launch("k");
  EXPECT_FALSE(manager_.is_phase_complete(session, 0));
  manager_.deactivate(session, true);
  EXPECT_FALSE(manager_.is_phase_complete(session, 0));
  manager_.advance_phase(session);
  EXPECT_FALSE(manager_.is_phase_complete(session, 0));
  manager_.deactivate(session, true);
  EXPECT_TRUE(manager_.is_phase_complete(session, 0));
  EXPECT_FALSE(manager_.is_phase_complete(session, 1));
}

TEST_F(PhaseTest, ChangesUnderAnOpenScope) {
  const int session = start("a");
  in_scope("open", [&] {
    gpu_.launch("k");
    manager_.advance_phase(session);
    gpu_.launch("k");
    gpu_.launch("k");
  });
  manager_.finalize(session, "");
  EXPECT_EQ(tree("a.part_0.hatchet"), "ROOT(open(k*1))");
  EXPECT_EQ(tree("a.part_1.hatchet"), "ROOT(open(k*2))");
}

TEST_F(PhaseTest, CanBeCleared) {
  const int session = start("a");
  gpu_.launch("k");
  manager_.deactivate(session, true);
  manager_.clear_data(session, 0, false);
  EXPECT_EQ(outline(json::parse(manager_.json(session, 0))[0]), "ROOT");
  manager_.advance_phase(session);
  manager_.clear_data(session, 0, true);
  EXPECT_EQ(error_of<std::out_of_range>([&] { manager_.json(session, 0); }),
            "[PROTON] Phase 0 has no data.");
}

TEST_F(PhaseTest, IsWrittenPeriodicallyOnceItsRecordsAreThere) {
  const int session = start("a", "tree", "periodic_flushing:format=hatchet_msgpack");
  in_scope("p0", [&] { gpu_.launch("k"); });
  manager_.advance_phase(session);
  EXPECT_TRUE(folder_.files().empty());
  gpu_.deliver();
  EXPECT_EQ(folder_.files(), std::set<std::string>({"a.part_0.hatchet_msgpack"}));
  EXPECT_TRUE(manager_.is_phase_complete(session, 0));
  EXPECT_THROW(manager_.json(session, 0), std::out_of_range);
  const json part = json::from_msgpack(folder_.read("a.part_0.hatchet_msgpack"));
  EXPECT_EQ(outline(part[0]), "ROOT(p0(k*1))");
}

TEST_F(PhaseTest, IsNotWrittenWhileRecordsAreUnderWay) {
  const int session = start("a", "tree", "periodic_flushing");
  gpu_.launch("slow");
  gpu_.swallow_last_record();
  manager_.advance_phase(session);
  gpu_.launch("k");
  gpu_.deliver();
  EXPECT_TRUE(folder_.files().empty());
  manager_.finalize(session, "");
  EXPECT_EQ(folder_.files(), std::set<std::string>({"a.part_0.hatchet", "a.part_1.hatchet"}));
}

TEST_F(PhaseTest, LeavesTheLastOneToFinalize) {
  const int session = start("a", "tree", "periodic_flushing:format=hatchet");
  for (int i = 0; i < 3; ++i) {
    in_scope("it" + std::to_string(i), [&] { gpu_.launch("k"); });
    manager_.advance_phase(session);
  }
  manager_.finalize(session, "");
  EXPECT_EQ(folder_.files(), std::set<std::string>({"a.part_0.hatchet", "a.part_1.hatchet",
                                                    "a.part_2.hatchet", "a.part_3.hatchet"}));
  EXPECT_EQ(tree("a.part_1.hatchet"), "ROOT(it1(k*1))");
  EXPECT_EQ(tree("a.part_3.hatchet"), "ROOT");
}

TEST_F(PhaseTest, TellsWhenAPartCouldNotBeWritten) {
  const int session = start("a", "tree", "periodic_flushing");
  std::filesystem::create_directories(folder_ / "a.part_0.hatchet/x");
  gpu_.launch("k");
  manager_.advance_phase(session);
  gpu_.deliver();
  EXPECT_THROW(manager_.finalize(session, ""), std::runtime_error);
}

}  // namespace
}  // namespace proton_xpu
