#include "softgpu/api/arguments.h"
#include "softgpu/api/entry_points.h"
#include "softgpu/command_list.h"
#include "softgpu/driver.h"

namespace softgpu::entry {
namespace {

constexpr ze_command_list_flags_t kListFlags =
    ZE_COMMAND_LIST_FLAG_RELAXED_ORDERING | ZE_COMMAND_LIST_FLAG_MAXIMIZE_THROUGHPUT |
    ZE_COMMAND_LIST_FLAG_EXPLICIT_ONLY | ZE_COMMAND_LIST_FLAG_IN_ORDER |
    ZE_COMMAND_LIST_FLAG_EXP_CLONEABLE;

ze_result_t check_queue(const Device& device, const ze_command_queue_desc_t& description) {
  if (has_unknown_flags(description.flags,
                        ZE_COMMAND_QUEUE_FLAG_EXPLICIT_ONLY | ZE_COMMAND_QUEUE_FLAG_IN_ORDER) ||
      description.mode > ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS ||
      description.priority > ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH) {
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  }
  const auto& groups = device.profile().queue_groups;
  if (description.ordinal >= groups.size() ||
      description.index >= groups[description.ordinal].queues) {
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  return ZE_RESULT_SUCCESS;
}

}  // namespace

ze_result_t zeCommandQueueCreate(ze_context_handle_t context_handle,
                                 ze_device_handle_t device_handle,
                                 const ze_command_queue_desc_t* description,
                                 ze_command_queue_handle_t* queue) {
  SOFTGPU_FIND(Context, context, context_handle);
  SOFTGPU_FIND(Device, device, device_handle);
  SOFTGPU_REQUIRE_POINTER(description);
  SOFTGPU_REQUIRE_POINTER(queue);
  if (const ze_result_t result = check_queue(*device, *description); result != ZE_RESULT_SUCCESS) {
    return result;
  }
  return publish(std::make_shared<CommandQueue>(
                     share_object<Device>(device_handle), description->ordinal, description->index,
                     description->mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS),
                 queue);
}

ze_result_t zeCommandQueueDestroy(ze_command_queue_handle_t queue) {
  return retire<CommandQueue>(queue);
}

ze_result_t zeCommandQueueExecuteCommandLists(ze_command_queue_handle_t queue_handle,
                                              std::uint32_t count,
                                              ze_command_list_handle_t* list_handles,
                                              ze_fence_handle_t fence_handle) {
  SOFTGPU_FIND(CommandQueue, queue, queue_handle);
  std::vector<const CommandList*> lists;
  if (const ze_result_t result =
          find_executable_lists(count, list_handles, queue->ordinal(), lists);
      result != ZE_RESULT_SUCCESS) {
    return result;
  }
  const Fence* fence = nullptr;
  if (fence_handle != nullptr) {
    fence = find_object<Fence>(fence_handle);
    if (fence == nullptr) return bad_handle(fence_handle);
  }
  return queue->execute(lists, fence);
}

ze_result_t zeCommandQueueSynchronize(ze_command_queue_handle_t queue_handle,
                                      std::uint64_t timeout_ns) {
  SOFTGPU_FIND(CommandQueue, queue, queue_handle);
  return queue->synchronize(timeout_ns);
}

ze_result_t zeCommandQueueGetOrdinal(ze_command_queue_handle_t queue_handle,
                                     std::uint32_t* ordinal) {
  SOFTGPU_FIND(CommandQueue, queue, queue_handle);
  SOFTGPU_REQUIRE_POINTER(ordinal);
  *ordinal = queue->ordinal();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandQueueGetIndex(ze_command_queue_handle_t queue_handle, std::uint32_t* index) {
  SOFTGPU_FIND(CommandQueue, queue, queue_handle);
  SOFTGPU_REQUIRE_POINTER(index);
  *index = queue->index();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListCreate(ze_context_handle_t context_handle,
                                ze_device_handle_t device_handle,
                                const ze_command_list_desc_t* description,
                                ze_command_list_handle_t* list) {
  SOFTGPU_FIND(Context, context, context_handle);
  SOFTGPU_FIND(Device, device, device_handle);
  SOFTGPU_REQUIRE_POINTER(description);
  SOFTGPU_REQUIRE_POINTER(list);
  if (has_unknown_flags(description->flags, kListFlags)) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  if (description->commandQueueGroupOrdinal >= device->profile().queue_groups.size()) {
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  CommandList::Options options;
  options.ordinal = description->commandQueueGroupOrdinal;
  options.flags = description->flags;
  return publish(std::make_shared<CommandList>(share_object<Context>(context_handle),
                                               share_object<Device>(device_handle), options, false),
                 list);
}

ze_result_t zeCommandListCreateImmediate(ze_context_handle_t context_handle,
                                         ze_device_handle_t device_handle,
                                         const ze_command_queue_desc_t* description,
                                         ze_command_list_handle_t* list) {
  SOFTGPU_FIND(Context, context, context_handle);
  SOFTGPU_FIND(Device, device, device_handle);
  SOFTGPU_REQUIRE_POINTER(description);
  SOFTGPU_REQUIRE_POINTER(list);
  if (const ze_result_t result = check_queue(*device, *description); result != ZE_RESULT_SUCCESS) {
    return result;
  }
  CommandList::Options options;
  options.ordinal = description->ordinal;
  options.index = description->index;
  options.synchronous = description->mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  return publish(std::make_shared<CommandList>(share_object<Context>(context_handle),
                                               share_object<Device>(device_handle), options, true),
                 list);
}

ze_result_t zeCommandListCreateCloneExp(ze_command_list_handle_t list_handle,
                                        ze_command_list_handle_t* clone) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  SOFTGPU_REQUIRE_POINTER(clone);
  if (list->immediate()) return ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE;
  return publish(list->clone(), clone);
}

ze_result_t zeCommandListDestroy(ze_command_list_handle_t list) {
  return retire<CommandList>(list);
}

ze_result_t zeCommandListClose(ze_command_list_handle_t list_handle) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  return list->close();
}

ze_result_t zeCommandListReset(ze_command_list_handle_t list_handle) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  return list->reset();
}

ze_result_t zeCommandListHostSynchronize(ze_command_list_handle_t list_handle,
                                         std::uint64_t timeout_ns) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  return list->synchronize(timeout_ns);
}

ze_result_t zeCommandListGetDeviceHandle(ze_command_list_handle_t list_handle,
                                         ze_device_handle_t* device) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  SOFTGPU_REQUIRE_POINTER(device);
  *device = handle_of<ze_device_handle_t>(list->device());
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListGetContextHandle(ze_command_list_handle_t list_handle,
                                          ze_context_handle_t* context) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  SOFTGPU_REQUIRE_POINTER(context);
  *context = handle_of<ze_context_handle_t>(list->context());
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListGetOrdinal(ze_command_list_handle_t list_handle, std::uint32_t* ordinal) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  SOFTGPU_REQUIRE_POINTER(ordinal);
  *ordinal = list->options().ordinal;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListImmediateGetIndex(ze_command_list_handle_t list_handle,
                                           std::uint32_t* index) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  SOFTGPU_REQUIRE_POINTER(index);
  if (!list->immediate()) return ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE;
  *index = list->options().index;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListIsImmediate(ze_command_list_handle_t list_handle, ze_bool_t* immediate) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  SOFTGPU_REQUIRE_POINTER(immediate);
  *immediate = list->immediate() ? 1 : 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListImmediateAppendCommandListsExp(ze_command_list_handle_t list_handle,
                                                        std::uint32_t count,
                                                        ze_command_list_handle_t* list_handles,
                                                        ze_event_handle_t signal,
                                                        std::uint32_t wait_count,
                                                        ze_event_handle_t* waits) {
  SOFTGPU_FIND(CommandList, list, list_handle);
  std::vector<const CommandList*> lists;
  if (const ze_result_t result =
          find_executable_lists(count, list_handles, list->options().ordinal, lists);
      result != ZE_RESULT_SUCCESS) {
    return result;
  }
  return list->append_lists(lists, signal, wait_count, waits);
}

}  // namespace softgpu::entry
