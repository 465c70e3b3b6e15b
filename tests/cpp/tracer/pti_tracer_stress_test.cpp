// A million launches from eight threads: each is counted once, and memory does not grow with them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

#include "support/level_zero_app.h"
#include "support/softgpu_control.h"
#include "tracer/pti/pti_tracer.h"

namespace proton_xpu {
namespace {

constexpr int kThreads = 8;
constexpr int kLaunchesPerThread = 125'000;
constexpr int kLaunchesPerWait = 250;
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

std::size_t resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  unsigned long total = 0;
  unsigned long resident = 0;
  const int fields = std::fscanf(file, "%lu %lu", &total, &resident);
  std::fclose(file);
  EXPECT_EQ(fields, 2);
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// An immediate list of one thread and an event for each launch between two waits. Launches without
/// an event of their own would grow the process: PTI 1.2 keeps an event for each of them for good.
struct Lane {
  ze_command_list_handle_t list;
  std::vector<ze_event_handle_t> events;
};

void launch_on(testing::LevelZeroApp& app, const Lane& lane, int launches) {
  for (int done = 0; done < launches; done += kLaunchesPerWait) {
    for (ze_event_handle_t event : lane.events) app.launch(lane.list, 0, event);
    app.wait(lane.list);
    for (ze_event_handle_t event : lane.events) app.functions().EventHostReset(event);
  }
}

void launch_on_all(testing::LevelZeroApp& app, const std::vector<Lane>& lanes, int launches) {
  std::vector<std::thread> threads;
  for (const Lane& lane : lanes) {
    threads.emplace_back([&app, &lane, launches] { launch_on(app, lane, launches); });
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
  std::vector<Lane> lanes;
  for (int i = 0; i < kThreads; ++i) {
    lanes.push_back({app.make_immediate_list(), app.make_events(kLaunchesPerWait)});
  }

  launch_on_all(app, lanes, 2 * kLaunchesPerWait);
  ASSERT_TRUE(tracer->flush(std::chrono::milliseconds(5000)));
  const std::uint64_t warm_up = sink.launches;
  EXPECT_EQ(warm_up, 2U * kLaunchesPerWait * kThreads);
  const std::size_t before = resident_bytes();

  launch_on_all(app, lanes, kLaunchesPerThread);
  ASSERT_TRUE(tracer->flush(std::chrono::milliseconds(5000)));
  const std::size_t after = resident_bytes();

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
