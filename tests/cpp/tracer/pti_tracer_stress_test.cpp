// A million launches from eight threads: each is counted once, and memory does not grow with them.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "support/launch_lane.h"
#include "support/level_zero_app.h"
#include "support/softgpu_control.h"
#include "tracer/pti/pti_tracer.h"

namespace proton_xpu {
namespace {

constexpr int kThreads = 8;
constexpr int kLaunchesPerThread = 125'000;
constexpr int kLaunchesPerWait = testing::LaunchLane::kLaunchesPerWait;
constexpr std::uint64_t kTicks = 7;

/// Counts and sums, and nothing else.
class CountingSink : public Sink {
 public:
  void on_launch(const Launch&) noexcept override {
    launches.fetch_add(1, std::memory_order_relaxed);
  }

  void on_activities(const Activity* activities, std::size_t count) noexcept override {
    for (std::size_t i = 0; i < count; ++i) {
      ++kernels;
      total_ns += activities[i].end_ns - activities[i].start_ns;
    }
  }

  void on_loss(std::uint64_t, LossReason) noexcept override { ++losses; }

  std::atomic<std::uint64_t> launches{0};
  std::uint64_t kernels = 0;
  std::uint64_t total_ns = 0;
  std::uint64_t losses = 0;
};

void launch_on_all(const std::vector<testing::LaunchLane>& lanes, int launches) {
  std::vector<std::thread> threads;
  for (const testing::LaunchLane& lane : lanes) {
    threads.emplace_back([&lane, launches] {
      for (int done = 0; done < launches; done += kLaunchesPerWait) lane.launch();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(PtiTracerStressTest, MillionLaunchesFromEightThreads) {
  const testing::SoftgpuControl device;
  device.set_clock(SOFTGPU_CLOCK_SCRIPTED);
  device.set_execution(0);
  ASSERT_EQ(device.script_push("alpha", 0, kTicks, UINT64_MAX), 0);
  DeviceTable devices;
  CountingSink sink;
  const std::unique_ptr<Tracer> tracer = make_pti_tracer(devices);
  tracer->start(sink);
  testing::LevelZeroApp app({"alpha"});
  std::vector<testing::LaunchLane> lanes;
  for (int i = 0; i < kThreads; ++i) lanes.emplace_back(app);

  launch_on_all(lanes, 2 * kLaunchesPerWait);
  ASSERT_TRUE(tracer->flush(std::chrono::milliseconds(5000)));
  const std::uint64_t warm_up = sink.launches;
  EXPECT_EQ(warm_up, 2U * kLaunchesPerWait * kThreads);
  const std::size_t before = testing::resident_bytes();

  launch_on_all(lanes, kLaunchesPerThread);
  ASSERT_TRUE(tracer->flush(std::chrono::milliseconds(5000)));
  const std::size_t after = testing::resident_bytes();

  const std::uint64_t expected = warm_up + std::uint64_t{kThreads} * kLaunchesPerThread;
  EXPECT_EQ(sink.launches, expected);
  EXPECT_EQ(sink.kernels, expected);
  EXPECT_EQ(sink.losses, 0U);
  EXPECT_EQ(sink.total_ns, expected * (kTicks * 1'000'000'000 / devices.at(0).timer_hz));
  EXPECT_LT(after, before + (std::size_t{50} << 20));
  tracer->stop();
}

}  // namespace
}  // namespace proton_xpu
