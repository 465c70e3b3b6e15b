#include "softgpu/api/arguments.h"
#include "softgpu/api/entry_points.h"
#include "softgpu/command_list.h"
#include "softgpu/driver.h"
#include "softgpu/kernel.h"
#include "softgpu/stamp.h"
#include "softgpu/transfer.h"

namespace softgpu::entry {

ze_result_t zeCommandListAppendLaunchKernel(ze_command_list_handle_t list_handle,
                                            ze_kernel_handle_t kernel_handle,
                                            const ze_group_count_t* groups,
                                            ze_event_handle_t signal, std::uint32_t wait_count,
                                            ze_event_handle_t* waits) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  SOFTGPU_FIND(Kernel, kernel, kernel_handle);
  SOFTGPU_REQUIRE_POINTER(groups);
  std::shared_ptr<const Operation> launch;
  if (const ze_result_t result = kernel->launch(*groups, launch); result != ZE_RESULT_SUCCESS) {
    return result;
  }
  return list->append(CommandKind::kKernel, std::move(launch), signal, wait_count, waits);
}

ze_result_t zeCommandListAppendLaunchCooperativeKernel(
    ze_command_list_handle_t list, ze_kernel_handle_t kernel, const ze_group_count_t* groups,
    ze_event_handle_t signal, std::uint32_t wait_count, ze_event_handle_t* waits) {
  return entry::zeCommandListAppendLaunchKernel(list, kernel, groups, signal, wait_count, waits);
}

ze_result_t zeCommandListAppendLaunchKernelIndirect(ze_command_list_handle_t list_handle,
                                                    ze_kernel_handle_t kernel_handle,
                                                    const ze_group_count_t* groups,
                                                    ze_event_handle_t signal,
                                                    std::uint32_t wait_count,
                                                    ze_event_handle_t* waits) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  SOFTGPU_FIND(Kernel, kernel, kernel_handle);
  SOFTGPU_REQUIRE_POINTER(groups);
  std::shared_ptr<const Operation> launch;
  if (const ze_result_t result = kernel->launch_indirect(groups, launch);
      result != ZE_RESULT_SUCCESS) {
    return result;
  }
  return list->append(CommandKind::kKernel, std::move(launch), signal, wait_count, waits);
}

ze_result_t zeCommandListAppendMemoryCopy(ze_command_list_handle_t list_handle, void* destination,
                                          const void* source, std::size_t size,
                                          ze_event_handle_t signal, std::uint32_t wait_count,
                                          ze_event_handle_t* waits) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  SOFTGPU_REQUIRE_POINTER(destination);
  SOFTGPU_REQUIRE_POINTER(source);
  return list->append(CommandKind::kCopy, make_copy(destination, source, size), signal, wait_count,
                      waits);
}

ze_result_t zeCommandListAppendMemoryCopyFromContext(
    ze_command_list_handle_t list_handle, void* destination, ze_context_handle_t source_context,
    const void* source, std::size_t size, ze_event_handle_t signal, std::uint32_t wait_count,
    ze_event_handle_t* waits) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  SOFTGPU_FIND(Context, context, source_context);
  return entry::zeCommandListAppendMemoryCopy(list_handle, destination, source, size, signal,
                                              wait_count, waits);
}

ze_result_t zeCommandListAppendMemoryFill(ze_command_list_handle_t list_handle, void* pointer,
                                          const void* pattern, std::size_t pattern_size,
                                          std::size_t size, ze_event_handle_t signal,
                                          std::uint32_t wait_count, ze_event_handle_t* waits) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  SOFTGPU_REQUIRE_POINTER(pointer);
  SOFTGPU_REQUIRE_POINTER(pattern);
  if (pattern_size == 0) return ZE_RESULT_ERROR_INVALID_SIZE;
  return list->append(CommandKind::kFill, make_fill(pointer, pattern, pattern_size, size), signal,
                      wait_count, waits);
}

ze_result_t zeCommandListAppendMemoryCopyRegion(
    ze_command_list_handle_t list_handle, void* destination,
    const ze_copy_region_t* destination_region, std::uint32_t destination_pitch,
    std::uint32_t destination_slice_pitch, const void* source,
    const ze_copy_region_t* source_region, std::uint32_t source_pitch,
    std::uint32_t source_slice_pitch, ze_event_handle_t signal, std::uint32_t wait_count,
    ze_event_handle_t* waits) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  SOFTGPU_REQUIRE_POINTER(destination);
  SOFTGPU_REQUIRE_POINTER(destination_region);
  SOFTGPU_REQUIRE_POINTER(source);
  SOFTGPU_REQUIRE_POINTER(source_region);
  return list->append(
      CommandKind::kCopy,
      make_region_copy(destination, *destination_region, destination_pitch, destination_slice_pitch,
                       source, *source_region, source_pitch, source_slice_pitch),
      signal, wait_count, waits);
}

ze_result_t zeCommandListAppendMemoryPrefetch(ze_command_list_handle_t list_handle,
                                              const void* pointer, std::size_t) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  SOFTGPU_REQUIRE_POINTER(pointer);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListAppendMemAdvise(ze_command_list_handle_t list_handle,
                                         ze_device_handle_t device_handle, const void* pointer,
                                         std::size_t, ze_memory_advice_t advice) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  SOFTGPU_FIND(Device, device, device_handle);
  SOFTGPU_REQUIRE_POINTER(pointer);
  return advice > ZE_MEMORY_ADVICE_CLEAR_SYSTEM_MEMORY_PREFERRED_LOCATION
             ? ZE_RESULT_ERROR_INVALID_ENUMERATION
             : ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListAppendBarrier(ze_command_list_handle_t list_handle,
                                       ze_event_handle_t signal, std::uint32_t wait_count,
                                       ze_event_handle_t* waits) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  return list->append(CommandKind::kBarrier, nullptr, signal, wait_count, waits);
}

ze_result_t zeCommandListAppendMemoryRangesBarrier(ze_command_list_handle_t list_handle,
                                                   std::uint32_t, const std::size_t* sizes,
                                                   const void** ranges, ze_event_handle_t signal,
                                                   std::uint32_t wait_count,
                                                   ze_event_handle_t* waits) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  SOFTGPU_REQUIRE_POINTER(sizes);
  SOFTGPU_REQUIRE_POINTER(ranges);
  return list->append(CommandKind::kBarrier, nullptr, signal, wait_count, waits);
}

ze_result_t zeCommandListAppendSignalEvent(ze_command_list_handle_t list_handle,
                                           ze_event_handle_t event_handle) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  SOFTGPU_FIND(Event, event, event_handle);
  return list->append(CommandKind::kSignal, nullptr, event_handle, 0, nullptr);
}

ze_result_t zeCommandListAppendWaitOnEvents(ze_command_list_handle_t list_handle,
                                            std::uint32_t count, ze_event_handle_t* events) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  SOFTGPU_REQUIRE_POINTER(events);
  return list->append(CommandKind::kWait, nullptr, nullptr, count, events);
}

ze_result_t zeCommandListAppendEventReset(ze_command_list_handle_t list_handle,
                                          ze_event_handle_t event_handle) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  SOFTGPU_FIND(Event, event, event_handle);
  return list->append(CommandKind::kEventReset, nullptr, event_handle, 0, nullptr);
}

ze_result_t zeCommandListAppendWriteGlobalTimestamp(ze_command_list_handle_t list_handle,
                                                    std::uint64_t* destination,
                                                    ze_event_handle_t signal,
                                                    std::uint32_t wait_count,
                                                    ze_event_handle_t* waits) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  SOFTGPU_REQUIRE_POINTER(destination);
  return list->append(CommandKind::kStamp, make_global_stamp(destination), signal, wait_count,
                      waits);
}

ze_result_t zeCommandListAppendQueryKernelTimestamps(
    ze_command_list_handle_t list_handle, std::uint32_t count, ze_event_handle_t* event_handles,
    void* destination, const std::size_t* offsets, ze_event_handle_t signal,
    std::uint32_t wait_count, ze_event_handle_t* waits) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  SOFTGPU_REQUIRE_POINTER(event_handles);
  SOFTGPU_REQUIRE_POINTER(destination);
  std::vector<std::shared_ptr<Event>> events;
  for (std::uint32_t i = 0; i < count; ++i) {
    events.push_back(share_object<Event>(event_handles[i]));
    if (events.back() == nullptr) return bad_handle(event_handles[i]);
  }
  return list->append(CommandKind::kStamp,
                      make_kernel_stamp_query(std::move(events), destination, offsets), signal,
                      wait_count, waits);
}

}  // namespace softgpu::entry
