// Many threads in scopes, while sessions come and go and records are delivered.
#include <atomic>
#include <map>
#include <thread>
#include <vector>

#include "session/session_fixture.h"

namespace proton_xpu {
namespace {

class SessionStressTest : public SessionFixture {
 protected:
  static constexpr int kThreads = 8;
  static constexpr int kScopes = 5;

  // Each thread opens its scopes in turn and launches in each.
  void launch_everywhere(int rounds) {
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([this, t, rounds] {
        for (int round = 0; round < rounds; ++round) {
          in_scope("t" + std::to_string(t), [&] {
            in_scope("s" + std::to_string(round % kScopes), [&] {
              gpu_.launch("a", 10);
              gpu_.launch("b", 20);
            });
            gpu_.launch("a", 30);
          });
        }
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
  }

  void expect_exact_counts(const json& root, int rounds) {
    ASSERT_EQ(root["children"].size(), static_cast<std::size_t>(kThreads));
    for (const json& thread : root["children"]) {
      ASSERT_EQ(thread["children"].size(), static_cast<std::size_t>(kScopes) + 1);
      for (const json& child : thread["children"]) {
        if (child["frame"]["name"] == "a") {
          EXPECT_EQ(child["metrics"]["count"], rounds);
          EXPECT_EQ(child["metrics"]["time (ns)"], rounds * 30);
        } else {
          EXPECT_EQ(outline(child), child["frame"]["name"].get<std::string>() + "(a*" +
                                        std::to_string(rounds / kScopes) + " b*" +
                                        std::to_string(rounds / kScopes) + ")");
        }
      }
    }
  }
};

TEST_F(SessionStressTest, CountsExactlyWhileOthersActivateAndDeactivate) {
  constexpr int kRounds = 500;
  start("always");
  const int toggled = start("toggled");
  std::atomic<bool> is_done{false};
  std::thread toggler([&] {
    for (int i = 0; !is_done.load(); ++i) {
      manager_.deactivate(toggled, i % 3 == 0);
      manager_.activate(toggled);
    }
  });
  std::thread deliverer([&] {
    while (!is_done.load()) {
      gpu_.deliver();
      std::this_thread::yield();
    }
  });
  std::thread reader([&] {
    while (!is_done.load()) {
      EXPECT_EQ(json::parse(manager_.json(0, 0)).size(), 2u);
      manager_.accounting(toggled);
    }
  });
  // The toggled session may miss the opening of a scope, so its stacks may object. That must not
  // touch the other session.
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([this, t] {
      const auto leave = [this](ScopeId id, const std::string& scope) {
        error_of<std::runtime_error>([&] { exit(id, scope); });
      };
      for (int round = 0; round < kRounds; ++round) {
        const std::string outer = "t" + std::to_string(t);
        const std::string inner = "s" + std::to_string(round % kScopes);
        const ScopeId outer_id = enter(outer);
        const ScopeId inner_id = enter(inner);
        gpu_.launch("a", 10);
        gpu_.launch("b", 20);
        leave(inner_id, inner);
        gpu_.launch("a", 30);
        leave(outer_id, outer);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  is_done.store(true);
  toggler.join();
  deliverer.join();
  reader.join();
  manager_.finalize_all("");
  expect_exact_counts(read("always.hatchet")[0], kRounds);
  const json always = accounting("always.hatchet");
  EXPECT_EQ(always["launches"], kThreads * kRounds * 3);
  EXPECT_EQ(always["kernels"], kThreads * kRounds * 3);
  const json other = accounting("toggled.hatchet");
  EXPECT_EQ(other["launches"], other["kernels"]);
}

TEST_F(SessionStressTest, LosesNothingAcrossPhases) {
  constexpr int kRounds = 200;
  const int session = start("a", "tree", "periodic_flushing");
  std::atomic<bool> is_done{false};
  int phases = 0;
  std::thread advancer([&] {
    while (!is_done.load()) {
      manager_.advance_phase(session);
      ++phases;
      gpu_.deliver();
      std::this_thread::yield();
    }
  });
  launch_everywhere(kRounds);
  is_done.store(true);
  advancer.join();
  manager_.finalize_all("");
  std::uint64_t kernels = 0;
  const std::function<void(const json&)> add = [&](const json& node) {
    kernels += node["metrics"].value("count", std::uint64_t{0});
    for (const json& child : node["children"]) {
      add(child);
    }
  };
  const auto files = folder_.files();
  EXPECT_EQ(files.size(), static_cast<std::size_t>(phases) + 1);
  for (const std::string& file : files) {
    add(read(file)[0]);
  }
  EXPECT_EQ(kernels, static_cast<std::uint64_t>(kThreads) * kRounds * 3);
}

TEST_F(SessionStressTest, SurvivesSessionsThatStartAndEndUnderLaunches) {
  constexpr int kLaunchers = 4;
  std::atomic<int> running{kLaunchers};
  std::vector<std::thread> launchers;
  for (int t = 0; t < kLaunchers; ++t) {
    launchers.emplace_back([&] {
      for (int i = 0; i < 5000; ++i) {
        const ScopeId id = enter("s");
        gpu_.launch("k");
        error_of<std::runtime_error>([&] { exit(id, "s"); });
      }
      --running;
    });
  }
  for (int i = 0; running.load() != 0; ++i) {
    const int session = start("a", i % 2 == 0 ? "tree" : "trace");
    std::this_thread::yield();
    EXPECT_TRUE(manager_.finalize(session, "").empty());
  }
  for (std::thread& launcher : launchers) {
    launcher.join();
  }
}

TEST_F(SessionStressTest, FindsEveryLaunchOfThreadsThatEnd) {
  start("a");
  for (int i = 0; i < 20; ++i) {
    launch_everywhere(5);
    gpu_.deliver();
  }
  manager_.finalize_all("");
  expect_exact_counts(read("a.hatchet")[0], 100);
}

}  // namespace
}  // namespace proton_xpu
