// A million launches from eight threads in nested scopes, on the software device through the real
// loader and PTI: each is in its scope, and memory does not grow with them.
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "session/session_manager.h"
#include "support/launch_lane.h"
#include "support/level_zero_app.h"
#include "support/softgpu_control.h"
#include "support/temporary_folder.h"
#include "tracer/pti/pti_tracer.h"

namespace proton_xpu {
namespace {

using nlohmann::json;
using testing::LaunchLane;

constexpr int kThreads = 8;
constexpr int kRounds = 100;
constexpr int kLaunchesPerThread = 125'000;
constexpr int kInnerScopes = 4;
constexpr std::uint64_t kTicks = 7;
// A round waits once in each inner scope and once in the outer one.
constexpr int kWaits = kLaunchesPerThread / LaunchLane::kLaunchesPerWait;
static_assert(kRounds * (kInnerScopes + 1) == kWaits);
constexpr std::uint64_t kLaunchesPerScope =
    std::uint64_t{kRounds} * static_cast<std::uint64_t>(LaunchLane::kLaunchesPerWait);

class Scope {
 public:
  Scope(SessionManager& manager, const std::string& name)
      : manager_(manager), id_(manager.new_scope_id()), name_(NameTable::instance().intern(name)) {
    manager_.thread().enter_scope(id_, name_);
  }
  ~Scope() { manager_.thread().exit_scope(id_, name_); }

 private:
  SessionManager& manager_;
  ScopeId id_;
  NameId name_;
};

SessionEnvironment environment() {
  SessionEnvironment environment;
  environment.backends = {"xpupti"};
  environment.make_tracer = [](const std::string&) {
    return make_pti_tracer(DeviceTable::process());
  };
  environment.device_facts = [](std::uint32_t) { return DeviceFacts(); };
  environment.version = "0";
  return environment;
}

void launch_in_scopes(SessionManager& manager, const LaunchLane& lane, int thread, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    const Scope outer(manager, "thread" + std::to_string(thread));
    for (int inner = 0; inner < kInnerScopes; ++inner) {
      const Scope scope(manager, "scope" + std::to_string(inner));
      lane.launch();
    }
    lane.launch();
  }
}

void launch_from_all(SessionManager& manager, const std::vector<LaunchLane>& lanes, int rounds) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&manager, &lanes, i, rounds] {
      launch_in_scopes(manager, lanes[static_cast<std::size_t>(i)], i, rounds);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

void expect_kernel(const json& node, std::uint64_t launches) {
  EXPECT_EQ(node["frame"]["name"], "alpha");
  EXPECT_EQ(node["metrics"]["count"], launches);
  EXPECT_EQ(node["metrics"]["time (ns)"],
            launches * (kTicks * 1'000'000'000 / DeviceTable::process().at(0).timer_hz));
}

TEST(SessionGpuStressTest, MillionLaunchesAreEachInTheirScope) {
  const TemporaryFolder folder;
  const testing::SoftgpuControl device;
  device.set_clock(SOFTGPU_CLOCK_SCRIPTED);
  device.set_execution(0);
  ASSERT_EQ(device.script_push("alpha", 0, kTicks, UINT64_MAX), 0);
  SessionManager manager(environment());
  const int warm_up = manager.start(folder / "warm_up", "shadow", "tree", "xpupti", "");
  testing::LevelZeroApp app({"alpha"});
  std::vector<LaunchLane> lanes;
  for (int i = 0; i < kThreads; ++i) lanes.emplace_back(app);
  launch_from_all(manager, lanes, 2);
  manager.deactivate(warm_up, true);

  const int session = manager.start(folder / "million", "shadow", "tree", "xpupti", "");
  const std::size_t before = testing::resident_bytes();
  launch_from_all(manager, lanes, kRounds);
  manager.deactivate(session, true);
  const std::size_t after = testing::resident_bytes();
  EXPECT_LT(after, before + (std::size_t{50} << 20));
  EXPECT_EQ(manager.finalize(session, ""), std::vector<std::string>());

  const json file = json::parse(std::ifstream(folder / "million.hatchet"));
  const json& root = file[0];
  const json& counts = root["proton_xpu"]["accounting"];
  EXPECT_EQ(counts["launches"], std::uint64_t{kThreads} * kLaunchesPerThread);
  EXPECT_EQ(counts["kernels"], std::uint64_t{kThreads} * kLaunchesPerThread);
  ASSERT_EQ(root["children"].size(), std::size_t{kThreads});
  for (const json& thread : root["children"]) {
    ASSERT_EQ(thread["children"].size(), std::size_t{kInnerScopes} + 1);
    for (int inner = 0; inner < kInnerScopes; ++inner) {
      const json& scope = thread["children"][static_cast<std::size_t>(inner)];
      EXPECT_EQ(scope["frame"]["name"], "scope" + std::to_string(inner));
      ASSERT_EQ(scope["children"].size(), 1U);
      expect_kernel(scope["children"][0], kLaunchesPerScope);
    }
    expect_kernel(thread["children"][kInnerScopes], kLaunchesPerScope);
  }
  manager.finalize(warm_up, "");
}

}  // namespace
}  // namespace proton_xpu
