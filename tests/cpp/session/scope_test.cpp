// Scopes, states and what of them reaches which session.
#include <thread>

#include "context/frame_source.h"
#include "session/session_fixture.h"

namespace proton_xpu {
namespace {

class ScopeTest : public SessionFixture {
 protected:
  ~ScopeTest() override { set_frame_walker(nullptr); }

  void in_state(std::string_view state, const std::function<void()>& body) {
    manager_.thread().enter_state(state);
    body();
    manager_.thread().exit_state();
  }

  static void run_thread(const std::function<void()>& body) { std::thread(body).join(); }
};

TEST_F(ScopeTest, Nest) {
  start("a");
  in_scope("outer", [&] {
    gpu_.launch("add");
    in_scope("inner", [&] {
      gpu_.launch("mul");
      gpu_.launch("mul");
    });
  });
  in_scope("outer", [&] { gpu_.launch("add"); });
  gpu_.launch("mul");
  manager_.finalize_all("");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(outer(add*2 inner(mul*2)) mul*1)");
}

TEST_F(ScopeTest, AppearWithoutKernels) {
  const int session = start("a");
  in_scope("a", [&] {
    EXPECT_EQ(manager_.depth(session), 1u);
    in_scope("b", [&] { EXPECT_EQ(manager_.depth(session), 2u); });
  });
  EXPECT_EQ(manager_.depth(session), 0u);
  manager_.finalize_all("");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(a(b))");
}

TEST_F(ScopeTest, MustBeLeftInOrder) {
  start("a");
  const ScopeId a = enter("a");
  const ScopeId b = enter("b");
  EXPECT_EQ(error_of<std::runtime_error>([&] { exit(a, "a"); }),
            "[PROTON] Context stack is not balanced");
  EXPECT_EQ(error_of<std::runtime_error>([&] { exit(b, "c"); }),
            "[PROTON] Context stack is not balanced");
  exit(b, "b");
  exit(a, "a");
  EXPECT_EQ(error_of<std::runtime_error>([&] { exit(a, "a"); }), "[PROTON] Context stack is empty");
}

TEST_F(ScopeTest, ReachAllSessionsThoughOneRefuses) {
  const int a = start("a");
  const ScopeId outer = enter("outer");
  start("b");
  EXPECT_EQ(error_of<std::runtime_error>([&] { exit(outer, "outer"); }),
            "[PROTON] Context stack is empty");
  EXPECT_EQ(manager_.depth(a), 0u);
}

TEST_F(ScopeTest, EnteredWhileInactiveAreUnknown) {
  const int session = start("a");
  manager_.deactivate(session, false);
  const ScopeId id = enter("x");
  exit(id, "x");
  const ScopeId other = enter("y");
  manager_.activate(session);
  EXPECT_EQ(error_of<std::runtime_error>([&] { exit(other, "y"); }),
            "[PROTON] Context stack is empty");
}

TEST_F(ScopeTest, LeftWhileInactiveStayOpen) {
  const int session = start("a");
  const ScopeId id = enter("stays");
  manager_.deactivate(session, false);
  exit(id, "stays");
  manager_.activate(session);
  EXPECT_EQ(manager_.depth(session), 1u);
  gpu_.launch("k");
  manager_.finalize_all("");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(stays(k*1))");
}

TEST_F(ScopeTest, OutliveTheirSession) {
  start("a");
  const ScopeId id = enter("x");
  manager_.finalize_all("");
  exit(id, "x");
  const int session = start("b");
  EXPECT_EQ(manager_.depth(session), 0u);
}

TEST_F(ScopeTest, OfTheStartingThreadAreInheritedByANewOne) {
  start("a");
  in_scope("main", [&] {
    gpu_.launch("mul");
    run_thread([&] { in_scope("t", [&] { gpu_.launch("add"); }); });
  });
  run_thread([&] { gpu_.launch("later"); });
  manager_.finalize_all("");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(main(mul*1 t(add*1)) later*1)");
}

TEST_F(ScopeTest, AreInheritedOnceAtTheFirstMeeting) {
  const int session = start("a");
  std::thread pool;
  std::atomic<int> step{0};
  const ScopeId outer = enter("m1");
  pool = std::thread([&] {
    gpu_.launch("first");
    step = 1;
    while (step.load() != 2) {
      std::this_thread::yield();
    }
    EXPECT_EQ(manager_.depth(session), 1u);
    gpu_.launch("second");
  });
  while (step.load() != 1) {
    std::this_thread::yield();
  }
  exit(outer, "m1");
  in_scope("m2", [&] {
    step = 2;
    pool.join();
  });
  manager_.finalize_all("");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(m1(first*1 second*1) m2)");
}

TEST_F(ScopeTest, OfAnotherThreadThanTheStartingOneAreItsOwn) {
  run_thread([&] { start("a"); });
  in_scope("x", [&] { run_thread([&] { gpu_.launch("k"); }); });
  manager_.finalize_all("");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(x k*1)");
}

TEST_F(ScopeTest, CannotBeLeftOnAnotherThread) {
  start("a");
  run_thread([&] {
    const ScopeId id = enter("x");
    run_thread([&] {
      EXPECT_EQ(error_of<std::runtime_error>([&] { exit(id, "x"); }),
                "[PROTON] Context stack is empty");
    });
  });
}

TEST_F(ScopeTest, TakeMetrics) {
  start("a");
  for (int i = 0; i < 3; ++i) {
    const ScopeId id = enter("m");
    manager_.thread().add_metrics(id, {{"f", 1.5}, {"i", std::int64_t{2}}});
    exit(id, "m");
  }
  manager_.finalize_all("");
  EXPECT_EQ(read("a.hatchet")[0]["children"][0]["metrics"], json({{"f", 4.5}, {"i", 6}}));
}

TEST_F(ScopeTest, TakeMetricsFromAnotherThread) {
  start("a");
  const ScopeId id = enter("m");
  run_thread([&] { manager_.thread().add_metrics(id, {{"i", std::int64_t{2}}}); });
  exit(id, "m");
  manager_.finalize_all("");
  EXPECT_EQ(read("a.hatchet")[0]["children"][0]["metrics"]["i"], 2);
}

TEST_F(ScopeTest, TakeNoMetricsOnceClosed) {
  start("a");
  const ScopeId id = enter("m");
  exit(id, "m");
  EXPECT_EQ(error_of<std::out_of_range>(
                [&] { manager_.thread().add_metrics(id, {{"i", std::int64_t{2}}}); }),
            "[PROTON] Scope " + std::to_string(id) + " is not open, so it can take no metrics");
}

TEST_F(ScopeTest, IgnoreMetricsWithoutASession) {
  EXPECT_NO_THROW(manager_.thread().add_metrics(77, {{"i", std::int64_t{2}}}));
}

TEST_F(ScopeTest, StatesStandBetweenTheContextAndTheKernel) {
  start("a");
  in_scope("it", [&] {
    manager_.thread().enter_state("opt");
    gpu_.launch("add");
    manager_.thread().enter_state("inner");
    gpu_.launch("mul");
    manager_.thread().exit_state();
    gpu_.launch("add");
    manager_.thread().exit_state();
  });
  manager_.finalize_all("");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(it(opt(add*1) inner(mul*1) add*1))");
}

TEST_F(ScopeTest, StatesTakeTheMetricsOfScopesOpenedUnderThem) {
  start("a");
  in_scope("test0", [&] {
    in_state("state", [&] {
      const ScopeId id = enter("test1");
      manager_.thread().add_metrics(id, {{"a", 1.0}});
      exit(id, "test1");
    });
  });
  manager_.finalize_all("");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(test0(test1(state)))");
  const json root = read("a.hatchet")[0];
  EXPECT_EQ(root["children"][0]["children"][0]["children"][0]["metrics"]["a"], 1.0);
}

TEST_F(ScopeTest, StatesDoNotHoldWhatIsOpenedBelow) {
  start("a");
  in_scope("a", [&] {
    in_state("st", [&] {
      in_scope("b", [&] {});
      gpu_.launch("k");
    });
  });
  in_state("__proton_launch_metadata:kk", [&] { gpu_.launch("helper"); });
  manager_.finalize_all("");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(a(b(st) st(k*1)) __proton_launch_metadata(kk(helper*1)))");
}

TEST_F(ScopeTest, ValuesThatComeLaterGoWhereTheirZerosWent) {
  const int a = start("a");
  const int b = start("b");
  const ScopeId scope = enter("s");
  std::vector<MetricPlace> places;
  EXPECT_TRUE(manager_.thread().defer_metrics(scope, {{"m", 0.0}}, &places));
  exit(scope, "s");
  EXPECT_EQ(places.size(), 2u);
  manager_.finalize(b, "");
  EXPECT_EQ(read("b.hatchet")[0]["children"][0]["metrics"]["m"], 0.0);
  manager_.advance_phase(a);
  run_thread([&] { settle_metrics(places, {{"m", 1.5}}); });
  EXPECT_EQ(nlohmann::json::parse(manager_.json(a, 0))[0]["children"][0]["metrics"]["m"], 1.5);
  manager_.clear_data(a, 0, false);
  settle_metrics(places, {{"m", 1.5}});
  EXPECT_THROW(manager_.json(a, 0), std::out_of_range);
}

TEST_F(ScopeTest, ValuesAreNotedWhereTheyFitEvenIfTheyConflictElsewhere) {
  const int a = start("a");
  const ScopeId before = enter("s");
  manager_.thread().add_metrics(before, {{"m", std::int64_t{1}}});
  exit(before, "s");
  start("b");
  const ScopeId scope = enter("s");
  std::vector<MetricPlace> places;
  EXPECT_THROW(manager_.thread().defer_metrics(scope, {{"m", 0.0}}, &places),
               std::invalid_argument);
  settle_metrics(places, {{"m", 2.5}});
  exit(scope, "s");
  EXPECT_EQ(nlohmann::json::parse(manager_.json(a, 0))[0]["children"][0]["metrics"]["m"], 1);
  manager_.finalize_all("");
  EXPECT_EQ(read("b.hatchet")[0]["children"][0]["metrics"]["m"], 2.5);
}

TEST_F(ScopeTest, ATraceTakesNoValuesThatComeLater) {
  start("a", "trace");
  const ScopeId scope = enter("s");
  std::vector<MetricPlace> places;
  EXPECT_FALSE(manager_.thread().defer_metrics(scope, {{"m", 0.0}}, &places));
  EXPECT_TRUE(places.empty());
  exit(scope, "s");
}

TEST_F(ScopeTest, InThePythonContextFramesAreThePath) {
  set_frame_walker(
      [](std::vector<NameId>& frames) { frames = {name("f.py:1@main"), name("f.py:9@leaf")}; });
  const int session = start("a", "tree", "", "python");
  EXPECT_EQ(manager_.depth(session), 2u);
  const ScopeId id = enter("s");
  manager_.thread().add_metrics(id, {{"m", std::int64_t{1}}});
  gpu_.launch("k");
  exit(id, "another name is no error here");
  set_frame_walker([](std::vector<NameId>& frames) { frames = {name("f.py:2@main")}; });
  in_state("st", [&] { gpu_.launch("k"); });
  manager_.finalize_all("");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(f.py:1@main(f.py:9@leaf(k*1)) f.py:2@main(st(k*1)))");
  EXPECT_EQ(read("a.hatchet")[0]["children"][0]["children"][0]["metrics"]["m"], 1);
}

TEST_F(ScopeTest, ShadowAndPythonContextsGoSideBySide) {
  set_frame_walker([](std::vector<NameId>& frames) { frames = {name("f.py:1@main")}; });
  start("a", "tree", "", "python");
  start("b");
  in_scope("s", [&] { gpu_.launch("k"); });
  manager_.finalize_all("");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(f.py:1@main(k*1))");
  EXPECT_EQ(tree("b.hatchet"), "ROOT(s(k*1))");
}

}  // namespace
}  // namespace proton_xpu
