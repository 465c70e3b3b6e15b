#include "softgpu/control.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "softgpu/clock.h"
#include "softgpu/soft_device.h"

namespace softgpu::testing {
namespace {

class ControlTest : public SoftDevice {
 protected:
  void SetUp() override {
    SoftDevice::SetUp();
    ASSERT_EQ(softgpu_script_clear(), 0);
  }
  void TearDown() override {
    softgpu_set_clock(SOFTGPU_CLOCK_REAL);
    softgpu_set_execution(1);
    softgpu_script_clear();
  }

  static std::uint64_t count(const char* kind) {
    std::uint64_t value = 0;
    EXPECT_EQ(softgpu_get_count(kind, &value), 0);
    return value;
  }

  std::uint64_t duration(ze_event_handle_t event) {
    const auto times = stamps(event);
    return times.kernelEnd - times.kernelStart;
  }
};

TEST_F(ControlTest, SaysItsVersion) { EXPECT_EQ(softgpu_control_version(), 1U); }

TEST_F(ControlTest, WrongArgumentsAreRefused) {
  std::uint64_t value = 0;
  EXPECT_EQ(softgpu_set_clock(static_cast<softgpu_clock>(7)), -1);
  EXPECT_EQ(softgpu_set_execution(2), -1);
  EXPECT_EQ(softgpu_script_push("kernel", 0, 1, 0), -1);
  EXPECT_EQ(softgpu_get_count("launch", &value), -1);
  EXPECT_EQ(softgpu_get_count(nullptr, &value), -1);
  EXPECT_EQ(softgpu_get_count("kernel", nullptr), -1);
}

TEST_F(ControlTest, ScriptedKernelsLastExactlyWhatWasTold) {
  softgpu_set_clock(SOFTGPU_CLOCK_SCRIPTED);
  softgpu_script_push("noop", 7, 12345, 2);
  softgpu_script_push("noop", 0, 1, 1);
  softgpu_script_push(nullptr, 3, 77, UINT64_MAX);
  // The first one lasts so long that the others start when the one before ends.
  softgpu_script_push("fail", 0, 1'000'000'000, 1);
  softgpu_set_execution(0);
  const auto list = immediate_list();
  launch(list, kernel("fail"));
  std::array<ze_event_handle_t, 6> events{};
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i] = event();
    launch(list, kernel(i == 1 ? "other" : "noop"), events[i]);
  }
  synchronize(list);
  const std::array<std::uint64_t, 6> durations{12345, 77, 12345, 1, 77, 77};
  const std::array<std::uint64_t, 6> delays{7, 3, 7, 0, 3, 3};
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(duration(events[i]), durations[i]) << i;
    if (i > 0) {
      EXPECT_EQ(stamps(events[i]).kernelStart, stamps(events[i - 1]).kernelEnd + delays[i]) << i;
    }
  }
}

TEST_F(ControlTest, ScriptedStartFollowsTheHost) {
  softgpu_set_clock(SOFTGPU_CLOCK_SCRIPTED);
  const auto list = immediate_list();
  const auto done = event();
  const std::uint64_t before = host_now();
  softgpu_script_push("noop", 5, 10, 1);
  launch(list, kernel("noop"), done);
  const std::uint64_t after = host_now();
  synchronize(list);
  EXPECT_GE(stamps(done).kernelStart, before + 5);
  EXPECT_LE(stamps(done).kernelStart, after + 5);
}

TEST_F(ControlTest, ScriptedStartFollowsTheEventsWaitedFor) {
  softgpu_set_clock(SOFTGPU_CLOCK_SCRIPTED);
  constexpr std::uint64_t kMinute = 60'000'000'000;
  softgpu_script_push("noop", 0, kMinute, 1);
  softgpu_script_push("other", 4, 20, 1);
  const auto first = event();
  const auto second = event();
  const auto list = immediate_list();
  const auto other_list = immediate_list();
  launch(list, kernel("noop"), first);
  launch(other_list, kernel("other"), second, {first});
  synchronize(other_list);
  EXPECT_EQ(duration(first), kMinute);
  EXPECT_EQ(stamps(second).kernelStart, stamps(first).kernelEnd + 4);
  EXPECT_EQ(duration(second), 20U);
}

TEST_F(ControlTest, ScriptedTransfersAndOrderingTakeTheirFixedTimes) {
  softgpu_set_clock(SOFTGPU_CLOCK_SCRIPTED);
  const auto list = immediate_list();
  std::array<ze_event_handle_t, 4> events{event(), event(), event(), event()};
  std::uint64_t target = 0;
  const std::uint64_t source = 5;
  softgpu_script_push("other", 0, 1'000'000'000, 1);
  launch(list, kernel("other"));
  ze().CommandList.pfnAppendMemoryCopy(list, &target, &source, 8, events[0], 0, nullptr);
  ze().CommandList.pfnAppendMemoryFill(list, &target, &source, 1, 8, events[1], 0, nullptr);
  ze().CommandList.pfnAppendBarrier(list, events[2], 0, nullptr);
  launch(list, kernel("noop"), events[3]);
  std::uint64_t stamp = 0;
  ze().CommandList.pfnAppendWriteGlobalTimestamp(list, &stamp, nullptr, 0, nullptr);
  synchronize(list);
  EXPECT_EQ(duration(events[0]), 100U);
  EXPECT_EQ(duration(events[1]), 100U);
  EXPECT_EQ(duration(events[2]), 0U);
  EXPECT_EQ(duration(events[3]), 1000U);
  EXPECT_EQ(stamp, stamps(events[3]).kernelEnd);
}

TEST_F(ControlTest, EachExecutionOfARecordedListTakesItsOwnEntries) {
  softgpu_set_clock(SOFTGPU_CLOCK_SCRIPTED);
  softgpu_script_push("noop", 0, 10, 1);
  softgpu_script_push("noop", 0, 20, 1);
  const auto queue = this->queue();
  const auto done = event();
  const auto list = recorded_list();
  launch(list, kernel("noop"), done);
  close(list);
  for (const std::uint64_t expected : {10, 20, 1000}) {
    execute(queue, list);
    synchronize(queue);
    EXPECT_EQ(duration(done), expected);
    ze().Event.pfnHostReset(done);
  }
}

TEST_F(ControlTest, WithoutExecutionNothingIsTouchedButAllIsOrderedAndStamped) {
  softgpu_set_execution(0);
  Journal journal;
  const auto list = immediate_list();
  const auto done = event();
  std::uint64_t target = 1;
  const std::uint64_t source = 5;
  launch(list, call(Journal::write, journal.entry(1)), done);
  ze().CommandList.pfnAppendMemoryCopy(list, &target, &source, 8, nullptr, 0, nullptr);
  ze().CommandList.pfnAppendMemoryFill(list, &target, &source, 1, 8, nullptr, 0, nullptr);
  synchronize(list);
  EXPECT_TRUE(journal.numbers().empty());
  EXPECT_EQ(target, 1U);
  EXPECT_EQ(ze().Event.pfnQueryStatus(done), ZE_RESULT_SUCCESS);
  EXPECT_GT(stamps(done).kernelEnd, 0U);
  softgpu_set_execution(1);
  launch(list, call(Journal::write, journal.entry(2)));
  synchronize(list);
  EXPECT_EQ(journal.numbers(), std::vector<int>{2});
}

TEST_F(ControlTest, CountsWhatWasExecutedByKind) {
  const std::array<const char*, 5> kinds{"kernel", "copy", "fill", "barrier", "signal"};
  std::array<std::uint64_t, 5> before{};
  for (std::size_t i = 0; i < kinds.size(); ++i) before[i] = count(kinds[i]);
  const auto list = immediate_list();
  auto done = event();
  std::uint64_t target = 0;
  const std::uint64_t source = 5;
  for (int i = 0; i < 5; ++i) launch(list, kernel("noop"));
  for (int i = 0; i < 4; ++i) {
    ze().CommandList.pfnAppendMemoryCopy(list, &target, &source, 8, nullptr, 0, nullptr);
  }
  for (int i = 0; i < 3; ++i) {
    ze().CommandList.pfnAppendMemoryFill(list, &target, &source, 1, 8, nullptr, 0, nullptr);
  }
  for (int i = 0; i < 2; ++i) ze().CommandList.pfnAppendBarrier(list, nullptr, 0, nullptr);
  ze().CommandList.pfnAppendSignalEvent(list, done);
  ze().CommandList.pfnAppendWaitOnEvents(list, 1, &done);
  ze().CommandList.pfnAppendEventReset(list, done);
  synchronize(list);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    EXPECT_EQ(count(kinds[i]) - before[i], 5 - i) << kinds[i];
  }
}

TEST_F(ControlTest, DrainWaitsForEveryQueue) {
  Gate gate;
  const auto list = immediate_list();
  const auto done = event();
  launch(list, call(Gate::pass, &gate), done);
  EXPECT_EQ(softgpu_drain(0), -1);
  EXPECT_EQ(softgpu_drain(1'000'000), -1);
  gate.open();
  EXPECT_EQ(softgpu_drain(UINT64_MAX), 0);
  EXPECT_EQ(ze().Event.pfnQueryStatus(done), ZE_RESULT_SUCCESS);
  EXPECT_EQ(softgpu_drain(0), 0);
}

}  // namespace
}  // namespace softgpu::testing
