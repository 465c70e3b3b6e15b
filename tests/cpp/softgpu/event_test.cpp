#include "softgpu/event.h"

#include <gtest/gtest.h>

#include <array>

#include "softgpu/clock.h"
#include "softgpu/soft_device.h"

namespace softgpu::testing {
namespace {

using EventTest = SoftDevice;

TEST_F(EventTest, HostSignalsAndResets) {
  const auto event = this->event();
  EXPECT_EQ(ze().Event.pfnQueryStatus(event), ZE_RESULT_NOT_READY);
  EXPECT_EQ(ze().Event.pfnHostSynchronize(event, 0), ZE_RESULT_NOT_READY);
  EXPECT_EQ(ze().Event.pfnHostSignal(event), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().Event.pfnQueryStatus(event), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().Event.pfnHostSynchronize(event, kForever), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().Event.pfnHostReset(event), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().Event.pfnQueryStatus(event), ZE_RESULT_NOT_READY);
}

TEST_F(EventTest, DeviceSignalsAndResetsInOrder) {
  const auto event = this->event();
  const auto list = immediate_list();
  EXPECT_EQ(ze().CommandList.pfnAppendSignalEvent(list, event), ZE_RESULT_SUCCESS);
  synchronize(list);
  EXPECT_EQ(ze().Event.pfnQueryStatus(event), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().CommandList.pfnAppendEventReset(list, event), ZE_RESULT_SUCCESS);
  synchronize(list);
  EXPECT_EQ(ze().Event.pfnQueryStatus(event), ZE_RESULT_NOT_READY);
}

TEST_F(EventTest, ResetByItsUserBeforeTheQueueLooksDoesNotHangTheQueue) {
  // A profiler resets an event as soon as it sees it signalled, while a wait for it is still
  // queued.
  Gate gate;
  Journal journal;
  const auto event = this->event();
  const auto first = immediate_list();
  const auto second = immediate_list();
  launch(second, call(Gate::pass, &gate));
  launch(second, call(Journal::write, journal.entry(1)), nullptr, {event});
  gate.wait_until_entered();
  launch(first, kernel("noop"), event);
  EXPECT_EQ(ze().Event.pfnHostSynchronize(event, kForever), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().Event.pfnHostReset(event), ZE_RESULT_SUCCESS);
  gate.open();
  synchronize(second);
  EXPECT_EQ(journal.numbers(), std::vector<int>{1});
}

TEST_F(EventTest, ReusedEventKeepsTheOrderOfEachUse) {
  const auto event = this->event();
  const auto list = immediate_list();
  const auto noop = kernel("noop");
  std::uint64_t last_end = 0;
  for (int i = 0; i < 500; ++i) {
    launch(list, noop, event);
    ASSERT_EQ(ze().Event.pfnHostSynchronize(event, kForever), ZE_RESULT_SUCCESS);
    const auto times = stamps(event);
    EXPECT_GE(times.kernelStart, last_end);
    EXPECT_GE(times.kernelEnd, times.kernelStart);
    last_end = times.kernelEnd;
    ASSERT_EQ(ze().Event.pfnHostReset(event), ZE_RESULT_SUCCESS);
  }
}

TEST_F(EventTest, CounterBasedOneIsSignalledUntilItsFirstUse) {
  const auto event = this->event(true);
  EXPECT_EQ(ze().Event.pfnQueryStatus(event), ZE_RESULT_SUCCESS);
  Gate gate;
  const auto list = immediate_list();
  launch(list, call(Gate::pass, &gate), event);
  EXPECT_EQ(ze().Event.pfnQueryStatus(event), ZE_RESULT_NOT_READY);
  gate.open();
  EXPECT_EQ(ze().Event.pfnHostSynchronize(event, kForever), ZE_RESULT_SUCCESS);
}

TEST_F(EventTest, WaitForACounterBasedOneIsForItsLastUse) {
  Gate gate;
  Gate later;
  Journal journal;
  const auto event = this->event(true);
  const auto first = immediate_list();
  const auto second = immediate_list();
  launch(first, call(Gate::pass, &gate), event);
  launch(second, call(Journal::write, journal.entry(1)), nullptr, {event});
  // The event's next use does not hold the wait above.
  launch(first, call(Gate::pass, &later), event);
  EXPECT_EQ(ze().CommandList.pfnHostSynchronize(second, 1'000'000), ZE_RESULT_NOT_READY);
  gate.open();
  synchronize(second);
  EXPECT_EQ(journal.numbers(), std::vector<int>{1});
  EXPECT_EQ(ze().Event.pfnQueryStatus(event), ZE_RESULT_NOT_READY);
  later.open();
  synchronize(first);
}

TEST_F(EventTest, StampsLieBetweenTheHostsOwn) {
  const auto event = this->event();
  const auto list = immediate_list();
  const std::uint64_t before = host_now();
  launch(list, kernel("noop"), event);
  synchronize(list);
  const std::uint64_t after = host_now();
  const auto times = stamps(event);
  EXPECT_LE(before, times.kernelStart);
  EXPECT_LE(times.kernelStart, times.kernelEnd);
  EXPECT_LE(times.kernelEnd, after);
}

TEST_F(EventTest, StampsAreNotReadyBeforeTheSignal) {
  ze_kernel_timestamp_result_t result{};
  std::uint32_t count = 1;
  const auto event = this->event();
  EXPECT_EQ(ze().Event.pfnQueryKernelTimestamp(event, &result), ZE_RESULT_NOT_READY);
  EXPECT_EQ(ze().EventExp.pfnQueryTimestampsExp(event, device_, &count, &result),
            ZE_RESULT_NOT_READY);
}

TEST_F(EventTest, EveryQueryGivesTheSameStamps) {
  const auto list = immediate_list();
  std::array<ze_event_handle_t, 2> events{event(), event()};
  for (const auto each : events) launch(list, kernel("noop"), each);
  std::array<ze_kernel_timestamp_result_t, 2> written{};
  EXPECT_EQ(ze().CommandList.pfnAppendQueryKernelTimestamps(list, 2, events.data(), written.data(),
                                                            nullptr, nullptr, 0, nullptr),
            ZE_RESULT_SUCCESS);
  std::array<ze_kernel_timestamp_result_t, 3> placed{};
  const std::array<std::size_t, 2> offsets{2 * sizeof(placed[0]), 0};
  EXPECT_EQ(ze().CommandList.pfnAppendQueryKernelTimestamps(list, 2, events.data(), placed.data(),
                                                            offsets.data(), nullptr, 0, nullptr),
            ZE_RESULT_SUCCESS);
  synchronize(list);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto times = stamps(events[i]);
    EXPECT_EQ(written[i].global.kernelStart, times.kernelStart);
    EXPECT_EQ(written[i].context.kernelEnd, times.kernelEnd);
    EXPECT_EQ(placed[2 - 2 * i].global.kernelEnd, times.kernelEnd);

    std::uint32_t count = 0;
    EXPECT_EQ(ze().EventExp.pfnQueryTimestampsExp(events[i], device_, &count, nullptr),
              ZE_RESULT_SUCCESS);
    EXPECT_EQ(count, 1U);
    ze_kernel_timestamp_result_t result{};
    EXPECT_EQ(ze().EventExp.pfnQueryTimestampsExp(events[i], device_, &count, &result),
              ZE_RESULT_SUCCESS);
    EXPECT_EQ(result.global.kernelStart, times.kernelStart);

    ze_kernel_timestamp_result_t buffer{};
    ze_event_query_kernel_timestamps_results_ext_properties_t results{
        ZE_STRUCTURE_TYPE_EVENT_QUERY_KERNEL_TIMESTAMPS_RESULTS_EXT_PROPERTIES, nullptr, &buffer,
        nullptr};
    EXPECT_EQ(ze().Event.pfnQueryKernelTimestampsExt(events[i], device_, &count, &results),
              ZE_RESULT_SUCCESS);
    EXPECT_EQ(buffer.global.kernelEnd, times.kernelEnd);
  }
}

TEST_F(EventTest, GlobalStampIsTheDevicesTime) {
  const auto list = immediate_list();
  std::uint64_t host = 0;
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  std::uint64_t written = 0;
  EXPECT_EQ(ze().Device.pfnGetGlobalTimestamps(device_, &host, &before), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().CommandList.pfnAppendWriteGlobalTimestamp(list, &written, nullptr, 0, nullptr),
            ZE_RESULT_SUCCESS);
  synchronize(list);
  EXPECT_EQ(ze().Device.pfnGetGlobalTimestamps(device_, &host, &after), ZE_RESULT_SUCCESS);
  EXPECT_LE(before, written);
  EXPECT_LE(written, after);
}

TEST_F(EventTest, TellsWhatItWasMadeOf) {
  const auto pool = this->pool(3);
  const ze_event_desc_t description{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 2,
                                    ZE_EVENT_SCOPE_FLAG_HOST, ZE_EVENT_SCOPE_FLAG_SUBDEVICE};
  ze_event_handle_t event = nullptr;
  EXPECT_EQ(ze().Event.pfnCreate(pool, &description, &event), ZE_RESULT_SUCCESS);
  ze_event_pool_handle_t its_pool = nullptr;
  ze_event_scope_flags_t scope = 0;
  EXPECT_EQ(ze().Event.pfnGetEventPool(event, &its_pool), ZE_RESULT_SUCCESS);
  EXPECT_EQ(its_pool, pool);
  EXPECT_EQ(ze().Event.pfnGetSignalScope(event, &scope), ZE_RESULT_SUCCESS);
  EXPECT_EQ(scope, ZE_EVENT_SCOPE_FLAG_HOST);
  EXPECT_EQ(ze().Event.pfnGetWaitScope(event, &scope), ZE_RESULT_SUCCESS);
  EXPECT_EQ(scope, ZE_EVENT_SCOPE_FLAG_SUBDEVICE);
  ze_event_pool_flags_t flags = 0;
  EXPECT_EQ(ze().EventPool.pfnGetFlags(pool, &flags), ZE_RESULT_SUCCESS);
  EXPECT_EQ(flags, ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  ze_context_handle_t context = nullptr;
  EXPECT_EQ(ze().EventPool.pfnGetContextHandle(pool, &context), ZE_RESULT_SUCCESS);
  EXPECT_EQ(context, context_);
}

}  // namespace
}  // namespace softgpu::testing
