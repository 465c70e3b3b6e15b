// What a forked child may do: give its manager up and make a new one.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "session/session_fixture.h"

namespace proton_xpu {
namespace {

class ForkTest : public SessionFixture {
 protected:
  // Runs `body` in a child, with the manager given up. True if it returned true.
  template <typename Body>
  bool in_child(Body&& body) {
    const pid_t child = fork();
    if (child == 0) {
      manager_.abandon();
      _exit(body() ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return status == 0;
  }
};

TEST_F(ForkTest, AChildHasASessionOfItsOwn) {
  start("parent");
  const ScopeId id = enter("parents_scope");
  gpu_.launch("k");
  EXPECT_TRUE(in_child([this] {
    ScriptedGpu gpu;
    SessionEnvironment own = environment();
    own.make_tracer = [&gpu](const std::string&) { return gpu.make_tracer(); };
    SessionManager manager(own);
    const int session = manager.start(folder_ / "child", "shadow", "tree", "xpupti", "");
    gpu.launch("childs");
    const bool is_fresh = session == 0 && manager.depth(session) == 0;
    manager.finalize_all("");
    return is_fresh;
  }));
  exit(id, "parents_scope");
  manager_.finalize_all("");
  EXPECT_EQ(tree("child.hatchet"), "ROOT(childs*1)");
  EXPECT_EQ(tree("parent.hatchet"), "ROOT(parents_scope(k*1))");
}

TEST_F(ForkTest, WhatStillReportsInAChildIsIgnored) {
  start("parent");
  EXPECT_TRUE(in_child([this] {
    gpu_.launch("in the parent's tracer");
    gpu_.deliver();
    return true;
  }));
  manager_.finalize_all("");
  EXPECT_EQ(tree("parent.hatchet"), "ROOT");
}

TEST_F(ForkTest, AChildDoesNotWaitForLocksOfThreadsThatItDoesNotHave) {
  start("parent");
  std::atomic<bool> is_done{false};
  std::thread busy([&] {
    while (!is_done.load()) {
      in_scope("busy", [&] { gpu_.launch("k"); });
      gpu_.deliver();
    }
  });
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(in_child([this] {
      ScriptedGpu gpu;
      SessionEnvironment own = environment();
      own.make_tracer = [&gpu](const std::string&) { return gpu.make_tracer(); };
      SessionManager manager(own);
      manager.start("-", "shadow", "tree", "xpupti", "");
      manager.thread().enter_scope(manager.new_scope_id(), name("x"));
      gpu.launch("k");
      return manager.accounting(0).launches == 1;
    }));
  }
  is_done.store(true);
  busy.join();
  manager_.finalize_all("");
}

}  // namespace
}  // namespace proton_xpu
