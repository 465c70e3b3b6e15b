#include "session/thread_context.h"

#include <thread>

#include "session/session_fixture.h"

namespace proton_xpu {
namespace {

using ThreadContextTest = SessionFixture;

TEST_F(ThreadContextTest, IsOneForAThread) {
  ThreadContext* mine = &manager_.thread();
  EXPECT_EQ(&manager_.thread(), mine);
  std::uint64_t other = mine->id();
  std::thread([&] { other = manager_.thread().id(); }).join();
  EXPECT_NE(other, mine->id());
}

TEST_F(ThreadContextTest, ChangesWithTheManager) {
  start("a");
  enter("x");
  SessionManager second(environment());
  second.thread().enter_scope(1, name("y"));
  const int session = manager_.start(folder_ / "a", "", "", "", "");
  EXPECT_EQ(manager_.depth(session), 1u);
}

TEST_F(ThreadContextTest, EndsWithItsThreadWhileItsLaunchesAreUnderWay) {
  const int session = start("a");
  for (int i = 0; i < 100; ++i) {
    std::thread([&] { in_scope("t", [&] { gpu_.launch("k"); }); }).join();
  }
  EXPECT_EQ(manager_.accounting(session).launches, 100u);
  manager_.finalize_all("");
  EXPECT_EQ(tree("a.hatchet"), "ROOT(t(k*100))");
}

}  // namespace
}  // namespace proton_xpu
