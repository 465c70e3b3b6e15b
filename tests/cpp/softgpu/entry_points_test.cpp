#include "softgpu/api/entry_points.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "softgpu/soft_device.h"

namespace softgpu::testing {
namespace {

constexpr auto kNullHandle = ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
constexpr auto kNullPointer = ZE_RESULT_ERROR_INVALID_NULL_POINTER;
constexpr auto kBadArgument = ZE_RESULT_ERROR_INVALID_ARGUMENT;
constexpr auto kBadEnumeration = ZE_RESULT_ERROR_INVALID_ENUMERATION;
constexpr auto kBadSize = ZE_RESULT_ERROR_INVALID_SIZE;

class EntryPointsTest : public SoftDevice {
 protected:
  // Tries a null handle, one that is no handle, a destroyed one and one of another type.
  template <typename Handle>
  void expect_handle_checks(const char* name, Handle destroyed,
                            const std::function<ze_result_t(Handle)>& function) {
    EXPECT_EQ(function(nullptr), kNullHandle) << name;
    EXPECT_EQ(function(reinterpret_cast<Handle>(this)), kBadArgument) << name;
    EXPECT_EQ(function(destroyed), kBadArgument) << name;
    EXPECT_EQ(function(reinterpret_cast<Handle>(driver_)), kBadArgument) << name;
  }
};

#define CHECK_HANDLE(type, destroyed, expression) \
  expect_handle_checks<type>(#expression, destroyed, [&](type handle) { return expression; })

TEST_F(EntryPointsTest, ListHandlesAreChecked) {
  const auto dead = recorded_list();
  ASSERT_EQ(ze().CommandList.pfnDestroy(dead), ZE_RESULT_SUCCESS);
  const auto& api = ze().CommandList;
  const auto kernel = this->kernel("noop");
  const auto event = this->event();
  auto wait = event;
  char memory[8] = {};
  const ze_copy_region_t region{0, 0, 0, 1, 1, 1};
  std::uint32_t number = 0;
  std::uint64_t stamp = 0;
  ze_bool_t flag = 0;
  ze_device_handle_t device = nullptr;
  ze_context_handle_t context = nullptr;
  const void* range = memory;
  const std::size_t size = 8;
  using List = ze_command_list_handle_t;
  CHECK_HANDLE(List, dead, api.pfnDestroy(handle));
  CHECK_HANDLE(List, dead, api.pfnClose(handle));
  CHECK_HANDLE(List, dead, api.pfnReset(handle));
  CHECK_HANDLE(List, dead, api.pfnHostSynchronize(handle, 0));
  CHECK_HANDLE(List, dead, api.pfnGetDeviceHandle(handle, &device));
  CHECK_HANDLE(List, dead, api.pfnGetContextHandle(handle, &context));
  CHECK_HANDLE(List, dead, api.pfnGetOrdinal(handle, &number));
  CHECK_HANDLE(List, dead, api.pfnImmediateGetIndex(handle, &number));
  CHECK_HANDLE(List, dead, api.pfnIsImmediate(handle, &flag));
  CHECK_HANDLE(List, dead,
               api.pfnAppendLaunchKernel(handle, kernel, &kOneGroup, nullptr, 0, nullptr));
  CHECK_HANDLE(
      List, dead,
      api.pfnAppendLaunchCooperativeKernel(handle, kernel, &kOneGroup, nullptr, 0, nullptr));
  CHECK_HANDLE(List, dead,
               api.pfnAppendLaunchKernelIndirect(handle, kernel, &kOneGroup, nullptr, 0, nullptr));
  CHECK_HANDLE(List, dead, api.pfnAppendMemoryCopy(handle, memory, memory, 1, nullptr, 0, nullptr));
  CHECK_HANDLE(
      List, dead,
      api.pfnAppendMemoryCopyFromContext(handle, memory, context_, memory, 1, nullptr, 0, nullptr));
  CHECK_HANDLE(List, dead,
               api.pfnAppendMemoryFill(handle, memory, memory, 1, 8, nullptr, 0, nullptr));
  CHECK_HANDLE(List, dead,
               api.pfnAppendMemoryCopyRegion(handle, memory, &region, 1, 1, memory, &region, 1, 1,
                                             nullptr, 0, nullptr));
  CHECK_HANDLE(List, dead, api.pfnAppendMemoryPrefetch(handle, memory, 8));
  CHECK_HANDLE(
      List, dead,
      api.pfnAppendMemAdvise(handle, device_, memory, 8, ZE_MEMORY_ADVICE_SET_READ_MOSTLY));
  CHECK_HANDLE(List, dead, api.pfnAppendBarrier(handle, nullptr, 0, nullptr));
  CHECK_HANDLE(List, dead,
               api.pfnAppendMemoryRangesBarrier(handle, 1, &size, &range, nullptr, 0, nullptr));
  CHECK_HANDLE(List, dead, api.pfnAppendSignalEvent(handle, event));
  CHECK_HANDLE(List, dead, api.pfnAppendEventReset(handle, event));
  CHECK_HANDLE(List, dead, api.pfnAppendWaitOnEvents(handle, 1, &wait));
  CHECK_HANDLE(List, dead, api.pfnAppendWriteGlobalTimestamp(handle, &stamp, nullptr, 0, nullptr));
  CHECK_HANDLE(
      List, dead,
      api.pfnAppendQueryKernelTimestamps(handle, 1, &wait, memory, nullptr, nullptr, 0, nullptr));
}

TEST_F(EntryPointsTest, OtherHandlesAreChecked) {
  const auto queue = this->queue();
  const auto fence = this->fence(queue);
  ASSERT_EQ(ze().Fence.pfnDestroy(fence), ZE_RESULT_SUCCESS);
  ASSERT_EQ(ze().CommandQueue.pfnDestroy(queue), ZE_RESULT_SUCCESS);
  const auto event = this->event();
  ASSERT_EQ(ze().Event.pfnDestroy(event), ZE_RESULT_SUCCESS);
  const auto pool = this->pool(1);
  ASSERT_EQ(ze().EventPool.pfnDestroy(pool), ZE_RESULT_SUCCESS);
  const auto kernel = this->kernel("noop");
  ASSERT_EQ(ze().Kernel.pfnDestroy(kernel), ZE_RESULT_SUCCESS);
  const ze_context_desc_t context_description{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  ze_context_handle_t context = nullptr;
  ASSERT_EQ(ze().Context.pfnCreate(driver_, &context_description, &context), ZE_RESULT_SUCCESS);
  ASSERT_EQ(ze().Context.pfnDestroy(context), ZE_RESULT_SUCCESS);
  const auto list = immediate_list();

  CHECK_HANDLE(ze_command_queue_handle_t, queue, ze().CommandQueue.pfnSynchronize(handle, 0));
  CHECK_HANDLE(ze_command_queue_handle_t, queue, ze().CommandQueue.pfnDestroy(handle));
  CHECK_HANDLE(ze_fence_handle_t, fence, ze().Fence.pfnQueryStatus(handle));
  CHECK_HANDLE(ze_fence_handle_t, fence, ze().Fence.pfnReset(handle));
  CHECK_HANDLE(ze_fence_handle_t, fence, ze().Fence.pfnHostSynchronize(handle, 0));
  CHECK_HANDLE(ze_event_handle_t, event, ze().Event.pfnHostSignal(handle));
  CHECK_HANDLE(ze_event_handle_t, event, ze().Event.pfnHostReset(handle));
  CHECK_HANDLE(ze_event_handle_t, event, ze().Event.pfnQueryStatus(handle));
  CHECK_HANDLE(ze_event_handle_t, event, ze().Event.pfnHostSynchronize(handle, 0));
  CHECK_HANDLE(ze_event_handle_t, event, ze().Event.pfnDestroy(handle));
  CHECK_HANDLE(ze_event_handle_t, event, ze().CommandList.pfnAppendSignalEvent(list, handle));
  CHECK_HANDLE(ze_event_handle_t, event, ze().CommandList.pfnAppendWaitOnEvents(list, 1, &handle));
  CHECK_HANDLE(ze_event_pool_handle_t, pool, ze().EventPool.pfnDestroy(handle));
  CHECK_HANDLE(ze_kernel_handle_t, kernel, ze().Kernel.pfnSetGroupSize(handle, 1, 1, 1));
  CHECK_HANDLE(
      ze_kernel_handle_t, kernel,
      ze().CommandList.pfnAppendLaunchKernel(list, handle, &kOneGroup, nullptr, 0, nullptr));
  CHECK_HANDLE(ze_context_handle_t, context, ze().Context.pfnGetStatus(handle));
  CHECK_HANDLE(ze_context_handle_t, context, ze().Context.pfnDestroy(handle));
  CHECK_HANDLE(ze_context_handle_t, context, ze().Mem.pfnFree(handle, context_));
}

TEST_F(EntryPointsTest, SignalEventMayBeMissingButNotWrong) {
  const auto list = immediate_list();
  const auto dead = event();
  ze().Event.pfnDestroy(dead);
  EXPECT_EQ(ze().CommandList.pfnAppendBarrier(list, nullptr, 0, nullptr), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().CommandList.pfnAppendBarrier(list, dead, 0, nullptr), kBadArgument);
  EXPECT_EQ(ze().CommandList.pfnAppendBarrier(list, nullptr, 1, nullptr), kBadSize);
  ze_event_handle_t none = nullptr;
  EXPECT_EQ(ze().CommandList.pfnAppendBarrier(list, nullptr, 1, &none), kNullHandle);
}

TEST_F(EntryPointsTest, PointersAreChecked) {
  const auto list = immediate_list();
  const auto kernel = this->kernel("noop");
  char memory[8] = {};
  const ze_copy_region_t region{0, 0, 0, 1, 1, 1};
  const auto& lists = ze().CommandList;
  EXPECT_EQ(lists.pfnAppendLaunchKernel(list, kernel, nullptr, nullptr, 0, nullptr), kNullPointer);
  EXPECT_EQ(lists.pfnAppendMemoryCopy(list, nullptr, memory, 1, nullptr, 0, nullptr), kNullPointer);
  EXPECT_EQ(lists.pfnAppendMemoryCopy(list, memory, nullptr, 1, nullptr, 0, nullptr), kNullPointer);
  EXPECT_EQ(lists.pfnAppendMemoryFill(list, memory, nullptr, 1, 8, nullptr, 0, nullptr),
            kNullPointer);
  EXPECT_EQ(lists.pfnAppendMemoryFill(list, memory, memory, 0, 8, nullptr, 0, nullptr), kBadSize);
  EXPECT_EQ(lists.pfnAppendMemoryCopyRegion(list, memory, nullptr, 1, 1, memory, &region, 1, 1,
                                            nullptr, 0, nullptr),
            kNullPointer);
  EXPECT_EQ(lists.pfnAppendWaitOnEvents(list, 1, nullptr), kNullPointer);
  EXPECT_EQ(lists.pfnAppendMemoryPrefetch(list, nullptr, 8), kNullPointer);
  EXPECT_EQ(lists.pfnAppendWriteGlobalTimestamp(list, nullptr, nullptr, 0, nullptr), kNullPointer);
  EXPECT_EQ(lists.pfnGetOrdinal(list, nullptr), kNullPointer);
  EXPECT_EQ(ze().Driver.pfnGet(nullptr, nullptr), kNullPointer);
  EXPECT_EQ(ze().Driver.pfnGetProperties(driver_, nullptr), kNullPointer);
  EXPECT_EQ(ze().Device.pfnGet(driver_, nullptr, nullptr), kNullPointer);
  EXPECT_EQ(ze().Device.pfnGetProperties(device_, nullptr), kNullPointer);
  std::uint64_t stamp = 0;
  EXPECT_EQ(ze().Device.pfnGetGlobalTimestamps(device_, &stamp, nullptr), kNullPointer);
  EXPECT_EQ(ze().Context.pfnCreate(driver_, nullptr, &context_), kNullPointer);
  EXPECT_EQ(ze().Mem.pfnFree(context_, nullptr), kNullPointer);
  const ze_kernel_desc_t nameless{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, nullptr};
  ze_kernel_handle_t created = nullptr;
  EXPECT_EQ(ze().Kernel.pfnCreate(module_, &nameless, &created), kNullPointer);
  EXPECT_EQ(ze().Event.pfnQueryKernelTimestamp(event(), nullptr), kNullPointer);
}

TEST_F(EntryPointsTest, EnumerationsAndFlagsAreChecked) {
  ze_command_queue_desc_t queue{};
  ze_command_queue_handle_t queue_handle = nullptr;
  queue.flags = 64;
  EXPECT_EQ(ze().CommandQueue.pfnCreate(context_, device_, &queue, &queue_handle), kBadEnumeration);
  queue.flags = 0;
  queue.mode = static_cast<ze_command_queue_mode_t>(3);
  EXPECT_EQ(ze().CommandQueue.pfnCreate(context_, device_, &queue, &queue_handle), kBadEnumeration);
  queue.mode = ZE_COMMAND_QUEUE_MODE_DEFAULT;
  queue.priority = static_cast<ze_command_queue_priority_t>(3);
  ze_command_list_handle_t list = nullptr;
  EXPECT_EQ(ze().CommandList.pfnCreateImmediate(context_, device_, &queue, &list), kBadEnumeration);
  queue.priority = ZE_COMMAND_QUEUE_PRIORITY_NORMAL;
  queue.ordinal = 5;
  EXPECT_EQ(ze().CommandList.pfnCreateImmediate(context_, device_, &queue, &list), kBadArgument);
  queue.ordinal = 0;
  queue.index = 1;
  EXPECT_EQ(ze().CommandList.pfnCreateImmediate(context_, device_, &queue, &list), kBadArgument);

  ze_command_list_desc_t list_description{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 0,
                                          1U << 20};
  EXPECT_EQ(ze().CommandList.pfnCreate(context_, device_, &list_description, &list),
            kBadEnumeration);
  list_description = {ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 9, 0};
  EXPECT_EQ(ze().CommandList.pfnCreate(context_, device_, &list_description, &list), kBadArgument);

  ze_event_pool_handle_t pool = nullptr;
  ze_event_pool_desc_t pool_description{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, 64, 1};
  EXPECT_EQ(ze().EventPool.pfnCreate(context_, &pool_description, 0, nullptr, &pool),
            kBadEnumeration);
  pool_description = {ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, 0, 0};
  EXPECT_EQ(ze().EventPool.pfnCreate(context_, &pool_description, 0, nullptr, &pool), kBadSize);

  ze_event_handle_t event = nullptr;
  ze_event_desc_t event_description{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 1, 0, 0};
  EXPECT_EQ(ze().Event.pfnCreate(this->pool(1), &event_description, &event), kBadArgument);
  event_description.index = 0;
  event_description.wait = 64;
  EXPECT_EQ(ze().Event.pfnCreate(this->pool(1), &event_description, &event), kBadEnumeration);

  EXPECT_EQ(ze().CommandList.pfnAppendMemAdvise(immediate_list(), device_, this, 8,
                                                static_cast<ze_memory_advice_t>(99)),
            kBadEnumeration);
}

TEST_F(EntryPointsTest, ListsAreUsedAsTheirTypeAllows) {
  const auto queue = this->queue();
  auto immediate = immediate_list();
  auto open = recorded_list();
  EXPECT_EQ(ze().CommandQueue.pfnExecuteCommandLists(queue, 1, &immediate, nullptr),
            ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
  EXPECT_EQ(ze().CommandQueue.pfnExecuteCommandLists(queue, 1, &open, nullptr), kBadArgument);
  EXPECT_EQ(ze().CommandQueue.pfnExecuteCommandLists(queue, 0, &open, nullptr), kBadSize);
  EXPECT_EQ(ze().CommandQueue.pfnExecuteCommandLists(queue, 1, nullptr, nullptr), kNullPointer);
  EXPECT_EQ(ze().CommandList.pfnClose(immediate), kBadArgument);
  EXPECT_EQ(ze().CommandList.pfnReset(immediate), kBadArgument);
  EXPECT_EQ(ze().CommandList.pfnHostSynchronize(open, 0), kBadArgument);
  std::uint32_t index = 0;
  EXPECT_EQ(ze().CommandList.pfnImmediateGetIndex(open, &index),
            ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
  close(open);
  EXPECT_EQ(ze().CommandList.pfnAppendBarrier(open, nullptr, 0, nullptr), kBadArgument);
  EXPECT_EQ(
      ze().CommandListExp.pfnImmediateAppendCommandListsExp(open, 1, &open, nullptr, 0, nullptr),
      kBadArgument);
  ze_command_list_handle_t clone = nullptr;
  EXPECT_EQ(ze().CommandListExp.pfnCreateCloneExp(immediate, &clone),
            ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
  auto dead = fence(queue);
  ze().Fence.pfnDestroy(dead);
  EXPECT_EQ(ze().CommandQueue.pfnExecuteCommandLists(queue, 1, &open, dead), kBadArgument);
}

}  // namespace
}  // namespace softgpu::testing
