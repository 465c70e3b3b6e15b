// The PTI tracer over the real PTI library, the real loader and the software device with a scripted
// clock and execution switched off.
#include "tracer/pti/pti_tracer.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/level_zero_app.h"
#include "support/recording_sink.h"
#include "support/softgpu_control.h"

namespace proton_xpu {
namespace {

using std::chrono::milliseconds;
using testing::LevelZeroApp;
using testing::RecordedActivity;
using testing::RecordingSink;

constexpr milliseconds kPatience{5000};
constexpr std::size_t kAlpha = 0;
constexpr std::size_t kBeta = 1;

class PtiTracerTest : public ::testing::Test {
 protected:
  PtiTracerTest() {
    device_.set_clock(SOFTGPU_CLOCK_SCRIPTED);
    device_.set_execution(0);
    device_.script_clear();
  }

  ~PtiTracerTest() override {
    tracer_->stop();
    device_.drain(UINT64_MAX);
    device_.script_clear();
  }

  void start() { tracer_->start(sink_); }

  /// Every later launch of the kernel lasts `ticks`.
  void script(const char* kernel, std::uint64_t ticks, std::uint64_t repeat = UINT64_MAX) {
    ASSERT_EQ(device_.script_push(kernel, 0, ticks, repeat), 0);
  }

  /// Nanoseconds that so many ticks of the device last, as PTI rounds them.
  std::uint64_t nanoseconds(std::uint64_t ticks) {
    return ticks * 1'000'000'000 / devices_.at(0).timer_hz;
  }

  std::vector<std::uint64_t> durations() const {
    std::vector<std::uint64_t> result;
    for (const RecordedActivity& activity : sink_.activities()) {
      result.push_back(activity.duration_ns());
    }
    return result;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const RecordedActivity& activity : sink_.activities()) result.push_back(activity.text);
    return result;
  }

  testing::SoftgpuControl device_;
  DeviceTable devices_;
  RecordingSink sink_;
  std::unique_ptr<Tracer> tracer_ = make_pti_tracer(devices_);
};

TEST_F(PtiTracerTest, DurationsAreTheScriptsToTheTick) {
  start();
  LevelZeroApp app({"alpha", "beta"});
  const ze_command_list_handle_t list = app.make_immediate_list();
  for (std::uint64_t ticks : {10U, 200U, 3000U, 40'000U}) script("alpha", ticks, 1);
  script("beta", 77);
  for (int i = 0; i < 4; ++i) {
    app.launch(list, kAlpha);
    app.launch(list, kBeta);
  }
  app.wait(list);
  EXPECT_TRUE(tracer_->flush(kPatience));
  EXPECT_EQ(names(), (std::vector<std::string>{"alpha", "beta", "alpha", "beta", "alpha", "beta",
                                               "alpha", "beta"}));
  EXPECT_EQ(durations(),
            (std::vector<std::uint64_t>{nanoseconds(10), nanoseconds(77), nanoseconds(200),
                                        nanoseconds(77), nanoseconds(3000), nanoseconds(77),
                                        nanoseconds(40'000), nanoseconds(77)}));
  EXPECT_TRUE(sink_.losses().empty());
}

TEST_F(PtiTracerTest, EveryActivityHasItsLaunch) {
  start();
  LevelZeroApp app({"alpha"});
  const ze_command_list_handle_t list = app.make_immediate_list();
  for (int i = 0; i < 1000; ++i) app.launch(list, kAlpha);
  app.wait(list);
  EXPECT_TRUE(tracer_->flush(kPatience));
  std::set<std::uint64_t> launched;
  for (const Launch& launch : sink_.launches()) {
    EXPECT_EQ(launch.kind, ActivityKind::kKernel);
    EXPECT_FALSE(launch.deferred);
    EXPECT_NE(launch.correlation_id, 0U);
    launched.insert(launch.correlation_id);
  }
  std::set<std::uint64_t> finished;
  for (const RecordedActivity& activity : sink_.activities()) {
    finished.insert(activity.correlation_id);
    EXPECT_LE(activity.append_ns, activity.start_ns);
    EXPECT_EQ(activity.device, 0U);
    EXPECT_EQ(activity.thread_id, static_cast<std::uint32_t>(gettid()));
  }
  EXPECT_EQ(launched.size(), 1000U);
  EXPECT_EQ(finished, launched);
  EXPECT_EQ(sink_.activities().size(), 1000U);
}

TEST_F(PtiTracerTest, TimesAreOnTheRawMonotonicClock) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(time.tv_nsec);
  };
  start();
  LevelZeroApp app({"alpha"});
  const ze_command_list_handle_t list = app.make_immediate_list();
  // PTI measures the offset between its clock and ours each millisecond, so it is off by the jitter
  // of reading a clock.
  constexpr std::uint64_t kJitterNs = 10'000'000;
  const std::uint64_t before = now();
  app.launch(list, kAlpha);
  const std::uint64_t after = now();
  app.wait(list);
  EXPECT_TRUE(tracer_->flush(kPatience));
  const std::vector<RecordedActivity> activities = sink_.activities();
  ASSERT_EQ(activities.size(), 1U);
  EXPECT_GE(activities[0].append_ns + kJitterNs, before);
  EXPECT_LE(activities[0].append_ns, after + kJitterNs);
}

TEST_F(PtiTracerTest, LaunchesWithSignalEvents) {
  start();
  LevelZeroApp app({"alpha"});
  const ze_command_list_handle_t list = app.make_immediate_list();
  script("alpha", 5);
  const std::vector<ze_event_handle_t> events = app.make_events(16);
  for (int round = 0; round < 50; ++round) {
    for (ze_event_handle_t event : events) app.launch(list, kAlpha, event);
    for (ze_event_handle_t event : events) {
      ASSERT_EQ(app.functions().EventHostSynchronize(event, UINT64_MAX), ZE_RESULT_SUCCESS);
      ASSERT_EQ(app.functions().EventHostReset(event), ZE_RESULT_SUCCESS);
    }
  }
  EXPECT_TRUE(tracer_->flush(kPatience));
  EXPECT_EQ(durations(), std::vector<std::uint64_t>(800, nanoseconds(5)));
}

TEST_F(PtiTracerTest, CopiesAndFillsHaveBytesAndDirection) {
  start();
  LevelZeroApp app({"alpha"});
  const ze_command_list_handle_t list = app.make_immediate_list();
  void* host = app.allocate_host(4096);
  void* device = app.allocate_device(4096);
  void* other_device = app.allocate_device(4096);
  void* shared = app.allocate_shared(4096);
  std::vector<char> plain(4096);
  app.copy(list, device, host, 1001);
  app.copy(list, device, plain.data(), 1002);
  app.copy(list, host, device, 1003);
  app.copy(list, other_device, device, 1004);
  app.copy(list, shared, device, 1005);
  app.copy(list, plain.data(), host, 1006);
  app.fill(list, device, 512);
  app.wait(list);
  EXPECT_TRUE(tracer_->flush(kPatience));

  const std::vector<Launch> launches = sink_.launches();
  const std::vector<RecordedActivity> activities = sink_.activities();
  ASSERT_EQ(launches.size(), 7U);
  ASSERT_EQ(activities.size(), 7U);
  const CopyDirection directions[] = {CopyDirection::kHostToDevice, CopyDirection::kHostToDevice,
                                      CopyDirection::kDeviceToHost, CopyDirection::kDeviceToDevice,
                                      CopyDirection::kShared,       CopyDirection::kHostToHost};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(launches[i].kind, ActivityKind::kCopy) << i;
    EXPECT_EQ(activities[i].kind, ActivityKind::kCopy) << i;
    EXPECT_EQ(activities[i].direction, directions[i]) << i;
    EXPECT_EQ(activities[i].bytes, 1001 + i) << i;
    EXPECT_EQ(activities[i].device, 0U) << i;
    EXPECT_EQ(activities[i].duration_ns(), nanoseconds(100)) << i;
  }
  EXPECT_EQ(launches[6].kind, ActivityKind::kFill);
  EXPECT_EQ(activities[6].kind, ActivityKind::kFill);
  EXPECT_EQ(activities[6].bytes, 512U);
  EXPECT_EQ(activities[6].device, 0U);
}

TEST_F(PtiTracerTest, ThreadsAndQueuesAreToldApart) {
  start();
  LevelZeroApp app({"alpha"});
  constexpr int kThreads = 4;
  std::vector<ze_command_list_handle_t> lists;
  for (int i = 0; i < kThreads; ++i) lists.push_back(app.make_immediate_list());
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (int launch = 0; launch < 100; ++launch) app.launch(lists[i], kAlpha);
      app.wait(lists[i]);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(tracer_->flush(kPatience));
  std::map<std::pair<std::uint32_t, std::uint64_t>, int> counts;
  for (const RecordedActivity& activity : sink_.activities()) {
    ++counts[{activity.thread_id, activity.queue}];
  }
  EXPECT_EQ(counts.size(), static_cast<std::size_t>(kThreads));
  std::set<std::uint64_t> queues;
  for (const auto& [thread_and_queue, count] : counts) {
    EXPECT_EQ(count, 100);
    queues.insert(thread_and_queue.second);
  }
  EXPECT_EQ(queues, (std::set<std::uint64_t>{0, 1, 2, 3}));
}

TEST_F(PtiTracerTest, RegularListRunsAsOftenAsItIsExecuted) {
  start();
  LevelZeroApp app({"alpha", "beta"});
  const ze_command_queue_handle_t queue = app.make_queue();
  const ze_command_list_handle_t list = app.make_list();
  for (std::uint64_t run = 1; run <= 7; ++run) script("alpha", 10 * run, 1);
  script("beta", 3);
  app.launch(list, kAlpha);
  app.launch(list, kBeta);
  app.close(list);
  for (int run = 0; run < 7; ++run) {
    app.execute(queue, list);
    app.wait(queue);
  }
  EXPECT_TRUE(tracer_->flush(kPatience));
  const std::vector<Launch> launches = sink_.launches();
  ASSERT_EQ(launches.size(), 2U);
  EXPECT_TRUE(launches[0].deferred);
  EXPECT_TRUE(launches[1].deferred);
  std::map<std::uint64_t, std::vector<std::uint64_t>> durations_of;
  for (const RecordedActivity& activity : sink_.activities()) {
    durations_of[activity.correlation_id].push_back(activity.duration_ns());
  }
  std::vector<std::uint64_t> alpha;
  for (std::uint64_t run = 1; run <= 7; ++run) alpha.push_back(nanoseconds(10 * run));
  EXPECT_EQ(durations_of[launches[0].correlation_id], alpha);
  EXPECT_EQ(durations_of[launches[1].correlation_id],
            std::vector<std::uint64_t>(7, nanoseconds(3)));
}

TEST_F(PtiTracerTest, ListThatIsNeverExecutedHoldsNothingUp) {
  start();
  LevelZeroApp app({"alpha"});
  const ze_command_list_handle_t list = app.make_list();
  app.launch(list, kAlpha);
  app.close(list);
  EXPECT_TRUE(tracer_->flush(kPatience));
  EXPECT_EQ(sink_.launches().size(), 1U);
  EXPECT_TRUE(sink_.activities().empty());
  EXPECT_TRUE(sink_.losses().empty());
}

TEST_F(PtiTracerTest, FlushCollectsWhatNobodyWaitedFor) {
  start();
  LevelZeroApp app({"alpha"});
  const ze_command_list_handle_t list = app.make_immediate_list();
  for (int i = 0; i < 100; ++i) app.launch(list, kAlpha);
  EXPECT_TRUE(tracer_->flush(kPatience));
  EXPECT_EQ(sink_.activities().size(), 100U);
}

TEST_F(PtiTracerTest, StopCollectsWhatNobodyWaitedFor) {
  start();
  LevelZeroApp app({"alpha"});
  const ze_command_list_handle_t list = app.make_immediate_list();
  for (int i = 0; i < 100; ++i) app.launch(list, kAlpha);
  tracer_->stop();
  EXPECT_EQ(sink_.activities().size(), 100U);
  EXPECT_TRUE(sink_.losses().empty());
}

TEST_F(PtiTracerTest, LaunchWhoseRecordDoesNotComeIsLostAtTheFlush) {
  start();
  LevelZeroApp app({"alpha"});
  const ze_command_list_handle_t list = app.make_immediate_list();
  // Waits for an event that is signalled only later.
  const ze_event_handle_t gate = app.make_events(1).at(0);
  const ze_group_count_t groups{1, 1, 1};
  ze_event_handle_t wait_for = gate;
  ASSERT_EQ(app.functions().CommandListAppendLaunchKernel(list, app.kernel(kAlpha), &groups,
                                                          nullptr, 1, &wait_for),
            ZE_RESULT_SUCCESS);
  EXPECT_FALSE(tracer_->flush(milliseconds(20)));
  const std::vector<Launch> launches = sink_.launches();
  ASSERT_EQ(launches.size(), 1U);
  EXPECT_EQ(
      sink_.losses(),
      (std::map<std::uint64_t, LossReason>{{launches[0].correlation_id, LossReason::kNoRecord}}));
  ASSERT_EQ(app.functions().EventHostSignal(gate), ZE_RESULT_SUCCESS);
  app.wait(list);
  EXPECT_TRUE(tracer_->flush(kPatience));
  EXPECT_TRUE(sink_.activities().empty()) << "a launch was both lost and recorded";
}

TEST_F(PtiTracerTest, StartsAfterTheApplication) {
  LevelZeroApp app({"alpha"});
  const ze_command_list_handle_t list = app.make_immediate_list();
  for (int i = 0; i < 10; ++i) app.launch(list, kAlpha);
  app.wait(list);
  start();
  for (int i = 0; i < 20; ++i) app.launch(list, kAlpha);
  app.wait(list);
  EXPECT_TRUE(tracer_->flush(kPatience));
  EXPECT_EQ(sink_.launches().size(), 20U);
  EXPECT_EQ(sink_.activities().size(), 20U);
}

TEST_F(PtiTracerTest, StartsAndStopsAgainAndAgain) {
  LevelZeroApp app({"alpha"});
  script("alpha", 9);
  for (std::size_t round = 1; round <= 5; ++round) {
    start();
    const ze_command_list_handle_t list = app.make_immediate_list();
    for (int i = 0; i < 30; ++i) app.launch(list, kAlpha);
    app.wait(list);
    tracer_->stop();
    EXPECT_EQ(sink_.launches().size(), 30 * round);
    EXPECT_EQ(durations(), std::vector<std::uint64_t>(30 * round, nanoseconds(9)));
    for (int i = 0; i < 30; ++i) app.launch(list, kAlpha);
    app.wait(list);
  }
  EXPECT_TRUE(sink_.losses().empty());
}

TEST_F(PtiTracerTest, ListMadeWhileStoppedIsSeenAfterTheNextStart) {
  start();
  LevelZeroApp app({"alpha"});
  tracer_->stop();
  const ze_command_list_handle_t list = app.make_immediate_list();
  app.launch(list, kAlpha);
  app.wait(list);
  start();
  app.launch(list, kAlpha);
  app.wait(list);
  EXPECT_TRUE(tracer_->flush(kPatience));
  EXPECT_EQ(sink_.launches().size(), 1U);
  EXPECT_EQ(sink_.activities().size(), 1U);
}

TEST_F(PtiTracerTest, ASecondTracerIsRefusedUntilTheFirstStops) {
  start();
  RecordingSink other_sink;
  const std::unique_ptr<Tracer> other = make_pti_tracer(devices_);
  EXPECT_THROW(other->start(other_sink), std::runtime_error);
  EXPECT_THROW(start(), std::runtime_error);
  tracer_->stop();
  other->start(other_sink);
  LevelZeroApp app({"alpha"});
  const ze_command_list_handle_t list = app.make_immediate_list();
  app.launch(list, kAlpha);
  app.wait(list);
  other->stop();
  EXPECT_EQ(other_sink.activities().size(), 1U);
  EXPECT_TRUE(sink_.activities().empty());
}

TEST_F(PtiTracerTest, SaysWhatItUses) {
  EXPECT_EQ(tracer_->info().backend, "xpupti");
  EXPECT_EQ(tracer_->info().library, "");
  start();
  const TracerInfo info = tracer_->info();
  EXPECT_EQ(info.library, std::getenv("PROTON_XPU_PTI_LIBRARY"));
  EXPECT_GE(std::count(info.version.begin(), info.version.end(), '.'), 2) << info.version;
  ASSERT_EQ(info.notes.size(), 2U);
  EXPECT_EQ(info.notes[0], "PTI collection mode 1 (hybrid); PTI_COLLECTION_MODE changes it.");
  EXPECT_EQ(info.notes[1].rfind("Level Zero loader 1.", 0), 0U) << info.notes[1];
}

TEST_F(PtiTracerTest, LeavesTheEnvironmentAsItWas) {
  const auto read = [] {
    std::set<std::string> variables;
    for (char** entry = environ; *entry != nullptr; ++entry) variables.insert(*entry);
    return variables;
  };
  const std::set<std::string> before = read();
  start();
  EXPECT_EQ(read(), before);
}

TEST_F(PtiTracerTest, ForkedChildIsLeftAloneAndSaysSo) {
  start();
  LevelZeroApp app({"alpha"});
  const ze_command_list_handle_t list = app.make_immediate_list();
  app.launch(list, kAlpha);
  const pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    alarm(20);
    const bool flushed = tracer_->flush(kPatience);
    tracer_->stop();
    tracer_->start(sink_);
    const std::vector<std::string> notes = tracer_->info().notes;
    const bool told =
        !notes.empty() && notes[0].find("does not survive fork()") != std::string::npos;
    _exit(flushed && told ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  app.wait(list);
  EXPECT_TRUE(tracer_->flush(kPatience));
  EXPECT_EQ(sink_.activities().size(), 1U);
}

[[noreturn]] void report_notes_with_mode(const char* mode) {
  setenv("PTI_COLLECTION_MODE", mode, 1);
  const testing::SoftgpuControl device;
  device.set_clock(SOFTGPU_CLOCK_SCRIPTED);
  device.set_execution(0);
  DeviceTable devices;
  RecordingSink sink;
  const std::unique_ptr<Tracer> tracer = make_pti_tracer(devices);
  tracer->start(sink);
  LevelZeroApp app({"alpha"});
  const ze_command_list_handle_t list = app.make_immediate_list();
  for (int i = 0; i < 50; ++i) app.launch(list, kAlpha);
  app.wait(list);
  const bool complete = tracer->flush(kPatience) && sink.activities().size() == 50;
  std::fprintf(stderr, "%s\n", tracer->info().notes.at(0).c_str());
  tracer->stop();
  std::exit(complete ? 0 : 1);
}

TEST(PtiTracerDeathTest, TheUsersCollectionModeWins) {
  EXPECT_EXIT(report_notes_with_mode("0"), ::testing::ExitedWithCode(0),
              "PTI collection mode 0, as PTI_COLLECTION_MODE asks for");
  EXPECT_EXIT(report_notes_with_mode("2"), ::testing::ExitedWithCode(0),
              "PTI collection mode 2, as PTI_COLLECTION_MODE asks for");
}

}  // namespace
}  // namespace proton_xpu
