#include "softgpu/command_list.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <numeric>
#include <thread>

#include "softgpu/soft_device.h"

namespace softgpu::testing {
namespace {

using CommandListTest = SoftDevice;

TEST_F(CommandListTest, ImmediateListRunsInOrder) {
  Journal journal;
  const auto list = immediate_list();
  for (int i = 0; i < 100; ++i) launch(list, call(Journal::write, journal.entry(i)));
  synchronize(list);
  std::vector<int> expected(100);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(journal.numbers(), expected);
}

TEST_F(CommandListTest, AppendReturnsBeforeTheKernelEnds) {
  Gate gate;
  const auto list = immediate_list();
  const auto done = event();
  launch(list, call(Gate::pass, &gate), done);
  gate.wait_until_entered();
  EXPECT_EQ(ze().Event.pfnQueryStatus(done), ZE_RESULT_NOT_READY);
  EXPECT_EQ(ze().CommandList.pfnHostSynchronize(list, 0), ZE_RESULT_NOT_READY);
  EXPECT_EQ(ze().CommandList.pfnHostSynchronize(list, 1'000'000), ZE_RESULT_NOT_READY);
  EXPECT_EQ(ze().Event.pfnHostSynchronize(done, 1'000'000), ZE_RESULT_NOT_READY);
  gate.open();
  synchronize(list);
  EXPECT_EQ(ze().Event.pfnQueryStatus(done), ZE_RESULT_SUCCESS);
}

TEST_F(CommandListTest, SynchronousListReturnsAfterTheKernelHasEnded) {
  Journal journal;
  const auto list = immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  launch(list, call(Journal::write, journal.entry(1)));
  EXPECT_EQ(journal.numbers(), std::vector<int>{1});
}

TEST_F(CommandListTest, ArgumentsAreThoseOfTheAppend) {
  Gate gate;
  Journal journal;
  const auto list = immediate_list();
  launch(list, call(Gate::pass, &gate));
  const auto kernel = call(Journal::write, journal.entry(1));
  launch(list, kernel);
  void* second = journal.entry(2);
  ze().Kernel.pfnSetArgumentValue(kernel, 1, sizeof(second), &second);
  launch(list, kernel);
  launch(list, kernel);
  gate.open();
  synchronize(list);
  EXPECT_EQ(journal.numbers(), (std::vector<int>{1, 2, 2}));
}

TEST_F(CommandListTest, KernelMayBeDestroyedAfterTheAppend) {
  Gate gate;
  Journal journal;
  const auto list = immediate_list();
  launch(list, call(Gate::pass, &gate));
  const auto kernel = call(Journal::write, journal.entry(1));
  launch(list, kernel);
  EXPECT_EQ(ze().Kernel.pfnDestroy(kernel), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().Module.pfnDestroy(module_), ZE_RESULT_SUCCESS);
  gate.open();
  synchronize(list);
  EXPECT_EQ(journal.numbers(), std::vector<int>{1});
}

TEST_F(CommandListTest, ListsWaitForEachOther) {
  Gate gate;
  Journal journal;
  const auto first = immediate_list();
  const auto second = immediate_list();
  const auto ready = event();
  const auto back = event();
  launch(second, call(Journal::write, journal.entry(2)), back, {ready});
  launch(first, call(Gate::pass, &gate));
  launch(first, call(Journal::write, journal.entry(1)), ready);
  launch(first, call(Journal::write, journal.entry(3)), nullptr, {back, ready});
  gate.open();
  synchronize(first);
  synchronize(second);
  EXPECT_EQ(journal.numbers(), (std::vector<int>{1, 2, 3}));
}

TEST_F(CommandListTest, BarrierAndWaitHoldWhatFollows) {
  Journal journal;
  const auto list = immediate_list();
  const auto release = event();
  auto held = release;
  const auto first = event();
  launch(list, call(Journal::write, journal.entry(1)), first);
  const auto passed = event();
  EXPECT_EQ(ze().CommandList.pfnAppendBarrier(list, passed, 1, &held), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().CommandList.pfnAppendWaitOnEvents(list, 1, &held), ZE_RESULT_SUCCESS);
  launch(list, call(Journal::write, journal.entry(2)));
  EXPECT_EQ(ze().Event.pfnHostSynchronize(first, kForever), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().CommandList.pfnHostSynchronize(list, 1'000'000), ZE_RESULT_NOT_READY);
  EXPECT_EQ(journal.numbers(), std::vector<int>{1});
  EXPECT_EQ(ze().Event.pfnQueryStatus(passed), ZE_RESULT_NOT_READY);
  ze().Event.pfnHostSignal(release);
  synchronize(list);
  EXPECT_EQ(journal.numbers(), (std::vector<int>{1, 2}));
  EXPECT_EQ(ze().Event.pfnQueryStatus(passed), ZE_RESULT_SUCCESS);
}

TEST_F(CommandListTest, CopiesAndFillsDoWhatTheySay) {
  const auto list = immediate_list();
  std::array<std::uint8_t, 16> source{};
  std::iota(source.begin(), source.end(), std::uint8_t{0});
  std::array<std::uint8_t, 16> copy{};
  EXPECT_EQ(ze().CommandList.pfnAppendMemoryCopy(list, copy.data(), source.data(), 16, nullptr, 0,
                                                 nullptr),
            ZE_RESULT_SUCCESS);
  std::array<std::uint8_t, 7> filled{};
  std::uint16_t pattern = 0x0201;
  EXPECT_EQ(ze().CommandList.pfnAppendMemoryFill(list, filled.data(), &pattern, 2, 7, nullptr, 0,
                                                 nullptr),
            ZE_RESULT_SUCCESS);
  pattern = 0;  // The value was taken at the append.
  std::array<std::uint8_t, 5> bytes{};
  const std::uint8_t nine = 9;
  EXPECT_EQ(
      ze().CommandList.pfnAppendMemoryFill(list, bytes.data(), &nine, 1, 5, nullptr, 0, nullptr),
      ZE_RESULT_SUCCESS);
  synchronize(list);
  EXPECT_EQ(copy, source);
  EXPECT_EQ(filled, (std::array<std::uint8_t, 7>{1, 2, 1, 2, 1, 2, 1}));
  EXPECT_EQ(bytes, (std::array<std::uint8_t, 5>{9, 9, 9, 9, 9}));
}

TEST_F(CommandListTest, RegionCopyMovesABox) {
  const auto list = immediate_list();
  std::array<std::uint8_t, 64> source{};  // 4 slices of 4 rows of 4 bytes
  std::iota(source.begin(), source.end(), std::uint8_t{0});
  std::array<std::uint8_t, 64> target{};
  const ze_copy_region_t from{1, 1, 1, 2, 2, 2};
  const ze_copy_region_t to{0, 2, 0, 2, 2, 2};
  EXPECT_EQ(ze().CommandList.pfnAppendMemoryCopyRegion(
                list, target.data(), &to, 4, 16, source.data(), &from, 4, 16, nullptr, 0, nullptr),
            ZE_RESULT_SUCCESS);
  synchronize(list);
  std::array<std::uint8_t, 64> expected{};
  for (std::size_t z = 0; z < 2; ++z) {
    for (std::size_t y = 0; y < 2; ++y) {
      for (std::size_t x = 0; x < 2; ++x) {
        expected[z * 16 + (y + 2) * 4 + x] = source[(z + 1) * 16 + (y + 1) * 4 + x + 1];
      }
    }
  }
  EXPECT_EQ(target, expected);
}

TEST_F(CommandListTest, IndirectLaunchReadsTheGroupCountWhenItRuns) {
  Gate gate;
  const auto list = immediate_list();
  launch(list, call(Gate::pass, &gate));
  const auto kernel = this->kernel("args");
  const int value = 5;
  ze().Kernel.pfnSetArgumentValue(kernel, 0, sizeof(value), &value);
  void* pointer = nullptr;
  ze().Kernel.pfnSetArgumentValue(kernel, 1, sizeof(pointer), &pointer);
  ze().Kernel.pfnSetArgumentValue(kernel, 2, 256, nullptr);
  ze().Kernel.pfnSetGroupSize(kernel, 16, 2, 1);
  ze().KernelExp.pfnSetGlobalOffsetExp(kernel, 1, 2, 3);
  ze_group_count_t groups{0, 0, 0};
  EXPECT_EQ(
      ze().CommandList.pfnAppendLaunchKernelIndirect(list, kernel, &groups, nullptr, 0, nullptr),
      ZE_RESULT_SUCCESS);
  groups = {7, 8, 9};
  gate.open();
  synchronize(list);
  EXPECT_EQ(last_arguments(), "4 0 0, 0 0 0, 0 0 256, size 16 2 1, count 7 8 9, offset 1 2 3, ");
}

TEST_F(CommandListTest, RecordedListRunsWhenExecutedAndAsOftenAsExecuted) {
  Journal journal;
  const auto list = recorded_list();
  launch(list, call(Journal::write, journal.entry(1)));
  launch(list, call(Journal::write, journal.entry(2)));
  close(list);
  const auto queue = this->queue();
  EXPECT_TRUE(journal.numbers().empty());
  for (int i = 0; i < 3; ++i) execute(queue, list);
  synchronize(queue);
  EXPECT_EQ(journal.numbers(), (std::vector<int>{1, 2, 1, 2, 1, 2}));
}

TEST_F(CommandListTest, RecordedListMayBeResetAndUsedAgain) {
  Journal journal;
  const auto queue = this->queue();
  const auto list = recorded_list();
  launch(list, call(Journal::write, journal.entry(1)));
  close(list);
  execute(queue, list);
  EXPECT_EQ(ze().CommandList.pfnReset(list), ZE_RESULT_SUCCESS);
  launch(list, call(Journal::write, journal.entry(2)));
  close(list);
  execute(queue, list);
  EXPECT_EQ(ze().CommandList.pfnDestroy(list), ZE_RESULT_SUCCESS);
  synchronize(queue);
  EXPECT_EQ(journal.numbers(), (std::vector<int>{1, 2}));
}

TEST_F(CommandListTest, CloneIsACopy) {
  Journal journal;
  const auto list = recorded_list();
  launch(list, call(Journal::write, journal.entry(1)));
  close(list);
  ze_command_list_handle_t clone = nullptr;
  EXPECT_EQ(ze().CommandListExp.pfnCreateCloneExp(list, &clone), ZE_RESULT_SUCCESS);
  ze().CommandList.pfnDestroy(list);
  const auto queue = this->queue();
  execute(queue, clone);
  synchronize(queue);
  EXPECT_EQ(journal.numbers(), std::vector<int>{1});
}

TEST_F(CommandListTest, EventsOfARecordedListServeEachExecution) {
  Journal journal;
  const auto queue = this->queue();
  const auto inner = event();
  const auto list = recorded_list();
  launch(list, call(Journal::write, journal.entry(1)), inner);
  launch(list, call(Journal::write, journal.entry(2)), nullptr, {inner});
  EXPECT_EQ(ze().CommandList.pfnAppendEventReset(list, inner), ZE_RESULT_SUCCESS);
  close(list);
  for (int i = 0; i < 20; ++i) execute(queue, list);
  synchronize(queue);
  EXPECT_EQ(journal.numbers().size(), 40U);
  EXPECT_EQ(ze().Event.pfnQueryStatus(inner), ZE_RESULT_NOT_READY);
}

TEST_F(CommandListTest, ImmediateListRunsRecordedLists) {
  Journal journal;
  auto list = recorded_list();
  launch(list, call(Journal::write, journal.entry(2)));
  close(list);
  const auto immediate = immediate_list();
  auto before = event();
  const auto after = event();
  EXPECT_EQ(
      ze().CommandListExp.pfnImmediateAppendCommandListsExp(immediate, 1, &list, after, 1, &before),
      ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().CommandList.pfnHostSynchronize(immediate, 1'000'000), ZE_RESULT_NOT_READY);
  const auto other = immediate_list();
  launch(other, call(Journal::write, journal.entry(1)), before);
  EXPECT_EQ(ze().Event.pfnHostSynchronize(after, kForever), ZE_RESULT_SUCCESS);
  EXPECT_EQ(journal.numbers(), (std::vector<int>{1, 2}));
}

TEST_F(CommandListTest, FenceIsSignalledAfterTheLists) {
  Gate gate;
  const auto queue = this->queue();
  const auto fence = this->fence(queue);
  const auto list = recorded_list();
  launch(list, call(Gate::pass, &gate));
  close(list);
  execute(queue, list, fence);
  gate.wait_until_entered();
  EXPECT_EQ(ze().Fence.pfnQueryStatus(fence), ZE_RESULT_NOT_READY);
  EXPECT_EQ(ze().Fence.pfnHostSynchronize(fence, 1'000'000), ZE_RESULT_NOT_READY);
  EXPECT_EQ(ze().CommandQueue.pfnSynchronize(queue, 0), ZE_RESULT_NOT_READY);
  gate.open();
  EXPECT_EQ(ze().Fence.pfnHostSynchronize(fence, kForever), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().Fence.pfnReset(fence), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().Fence.pfnQueryStatus(fence), ZE_RESULT_NOT_READY);
  EXPECT_EQ(ze().Fence.pfnDestroy(fence), ZE_RESULT_SUCCESS);
}

TEST_F(CommandListTest, SynchronousQueueReturnsWhenDone) {
  Journal journal;
  const auto list = recorded_list();
  launch(list, call(Journal::write, journal.entry(1)));
  close(list);
  execute(queue(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS), list);
  EXPECT_EQ(journal.numbers(), std::vector<int>{1});
}

TEST_F(CommandListTest, DestroyedWithWorkInFlightStillRunsIt) {
  const std::size_t workers_before = Worker::all().size();
  Gate gate;
  Journal journal;
  const auto done = event();
  const auto list = immediate_list();
  const auto queue = this->queue();
  const auto recorded = recorded_list();
  launch(recorded, call(Journal::write, journal.entry(2)), nullptr, {done});
  close(recorded);
  execute(queue, recorded);
  launch(list, call(Gate::pass, &gate));
  launch(list, call(Journal::write, journal.entry(1)), done);
  EXPECT_EQ(ze().CommandList.pfnDestroy(list), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().CommandQueue.pfnDestroy(queue), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().Event.pfnDestroy(done), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().CommandList.pfnHostSynchronize(list, 0), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  gate.open();
  EXPECT_TRUE(Worker::drain(kForever));
  EXPECT_EQ(journal.numbers(), (std::vector<int>{1, 2}));
  EXPECT_EQ(Worker::all().size(), workers_before);
}

TEST_F(CommandListTest, FailedKernelIsReportedByEveryWait) {
  const auto list = immediate_list();
  const auto done = event();
  ::testing::internal::CaptureStderr();
  launch(list, kernel("fail"), done);
  EXPECT_EQ(ze().Event.pfnHostSynchronize(done, kForever), ZE_RESULT_ERROR_DEVICE_LOST);
  EXPECT_EQ(ze().CommandList.pfnHostSynchronize(list, kForever), ZE_RESULT_ERROR_DEVICE_LOST);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "[softgpu] Kernel fail failed: it always does\n");
}

TEST_F(CommandListTest, ExceptionInAKernelIsAFailure) {
  const auto list = immediate_list();
  ::testing::internal::CaptureStderr();
  launch(list, kernel("throw"));
  EXPECT_EQ(ze().CommandList.pfnHostSynchronize(list, kForever), ZE_RESULT_ERROR_DEVICE_LOST);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "[softgpu] A command failed: std::bad_alloc\n");
}

TEST_F(CommandListTest, TellsWhatItWasMadeOf) {
  const auto list = immediate_list();
  ze_device_handle_t device = nullptr;
  ze_context_handle_t context = nullptr;
  std::uint32_t ordinal = 9;
  std::uint32_t index = 9;
  ze_bool_t immediate = 0;
  EXPECT_EQ(ze().CommandList.pfnGetDeviceHandle(list, &device), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().CommandList.pfnGetContextHandle(list, &context), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().CommandList.pfnGetOrdinal(list, &ordinal), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().CommandList.pfnImmediateGetIndex(list, &index), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().CommandList.pfnIsImmediate(list, &immediate), ZE_RESULT_SUCCESS);
  EXPECT_EQ(device, device_);
  EXPECT_EQ(context, context_);
  EXPECT_EQ(ordinal, 0U);
  EXPECT_EQ(index, 0U);
  EXPECT_TRUE(immediate);
  EXPECT_EQ(ze().CommandList.pfnIsImmediate(recorded_list(), &immediate), ZE_RESULT_SUCCESS);
  EXPECT_FALSE(immediate);
}

TEST_F(CommandListTest, ManyThreadsLoseNothing) {
  constexpr int kThreads = 8;
  constexpr int kLaunches = 5000;
  static std::atomic<int> runs{0};
  const auto shared = immediate_list();
  const auto count = call([](void*) { runs.fetch_add(1); }, nullptr);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      const auto own = immediate_list();
      const auto done = event();
      for (int j = 0; j < kLaunches; ++j) launch(j % 2 == 0 ? own : shared, count);
      launch(own, count, done);
      EXPECT_EQ(ze().Event.pfnHostSynchronize(done, kForever), ZE_RESULT_SUCCESS);
      EXPECT_EQ(ze().CommandList.pfnDestroy(own), ZE_RESULT_SUCCESS);
    });
  }
  for (auto& thread : threads) thread.join();
  synchronize(shared);
  EXPECT_EQ(runs.load(), kThreads * (kLaunches + 1));
}

TEST_F(CommandListTest, LongQueueBehindAnEventDoesNotBlockTheHost) {
  constexpr int kLaunches = 40000;
  static std::atomic<int> runs{0};
  const auto list = immediate_list();
  auto release = event();
  const auto count = call([](void*) { runs.fetch_add(1); }, nullptr);
  EXPECT_EQ(ze().CommandList.pfnAppendWaitOnEvents(list, 1, &release), ZE_RESULT_SUCCESS);
  for (int i = 0; i < kLaunches; ++i) launch(list, count);
  EXPECT_EQ(runs.load(), 0);
  ze().Event.pfnHostSignal(release);
  synchronize(list);
  EXPECT_EQ(runs.load(), kLaunches);
}

}  // namespace
}  // namespace softgpu::testing
