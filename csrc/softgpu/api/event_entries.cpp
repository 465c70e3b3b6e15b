#include "softgpu/api/arguments.h"
#include "softgpu/api/entry_points.h"
#include "softgpu/command_list.h"
#include "softgpu/driver.h"
#include "softgpu/event.h"
#include "softgpu/stamp.h"

namespace softgpu::entry {
namespace {

constexpr ze_event_pool_flags_t kPoolFlags =
    ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_IPC | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP |
    ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP;
constexpr ze_event_scope_flags_t kScopes =
    ZE_EVENT_SCOPE_FLAG_SUBDEVICE | ZE_EVENT_SCOPE_FLAG_DEVICE | ZE_EVENT_SCOPE_FLAG_HOST;

ze_result_t wait_for(const EventState& state, std::uint64_t timeout_ns) {
  if (!state.wait(timeout_ns)) return ZE_RESULT_NOT_READY;
  return state.failed() ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
}

ze_result_t status_of(const EventState& state) {
  return state.signalled() ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
}

const DeviceClock& clock_of_events() { return Driver::instance()->devices().front()->clock(); }

}  // namespace

ze_result_t zeEventPoolCreate(ze_context_handle_t context_handle,
                              const ze_event_pool_desc_t* description, std::uint32_t device_count,
                              ze_device_handle_t* devices, ze_event_pool_handle_t* pool) {
  SOFTGPU_FIND(Context, context, context_handle);
  SOFTGPU_REQUIRE_POINTER(description);
  SOFTGPU_REQUIRE_POINTER(pool);
  if (has_unknown_flags(description->flags, kPoolFlags)) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  if (description->count == 0 || (device_count > 0 && devices == nullptr)) {
    return ZE_RESULT_ERROR_INVALID_SIZE;
  }
  for (std::uint32_t i = 0; i < device_count; ++i) {
    SOFTGPU_FIND(Device, device, devices[i]);
  }
  const bool counter_based =
      find_extension<const ze_event_pool_counter_based_exp_desc_t>(
          description->pNext, ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC) != nullptr;
  return publish(std::make_shared<EventPool>(share_object<Context>(context_handle),
                                             description->flags, description->count, counter_based),
                 pool);
}

ze_result_t zeEventPoolDestroy(ze_event_pool_handle_t pool) { return retire<EventPool>(pool); }

ze_result_t zeEventPoolGetContextHandle(ze_event_pool_handle_t pool_handle,
                                        ze_context_handle_t* context) {
  SOFTGPU_FIND(EventPool, pool, pool_handle);
  SOFTGPU_REQUIRE_POINTER(context);
  *context = handle_of<ze_context_handle_t>(pool->context());
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventPoolGetFlags(ze_event_pool_handle_t pool_handle, ze_event_pool_flags_t* flags) {
  SOFTGPU_FIND(EventPool, pool, pool_handle);
  SOFTGPU_REQUIRE_POINTER(flags);
  *flags = pool->flags();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventCreate(ze_event_pool_handle_t pool_handle, const ze_event_desc_t* description,
                          ze_event_handle_t* event) {
  SOFTGPU_FIND(EventPool, pool, pool_handle);
  SOFTGPU_REQUIRE_POINTER(description);
  SOFTGPU_REQUIRE_POINTER(event);
  if (has_unknown_flags(description->signal, kScopes) ||
      has_unknown_flags(description->wait, kScopes)) {
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  }
  if (description->index >= pool->size()) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  return publish(std::make_shared<Event>(share_object<EventPool>(pool_handle), description->signal,
                                         description->wait),
                 event);
}

ze_result_t zeEventDestroy(ze_event_handle_t event) { return retire<Event>(event); }

ze_result_t zeEventHostSignal(ze_event_handle_t event_handle) {
  SOFTGPU_FIND(Event, event, event_handle);
  const std::uint64_t now = clock_of_events().now();
  event->state()->signal(now, now);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventHostSynchronize(ze_event_handle_t event_handle, std::uint64_t timeout_ns) {
  SOFTGPU_FIND(Event, event, event_handle);
  return wait_for(*event->state(), timeout_ns);
}

ze_result_t zeEventQueryStatus(ze_event_handle_t event_handle) {
  SOFTGPU_FIND(Event, event, event_handle);
  return status_of(*event->state());
}

ze_result_t zeEventHostReset(ze_event_handle_t event_handle) {
  SOFTGPU_FIND(Event, event, event_handle);
  event->state()->reset_from_host();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventQueryKernelTimestamp(ze_event_handle_t event_handle,
                                        ze_kernel_timestamp_result_t* result) {
  SOFTGPU_FIND(Event, event, event_handle);
  SOFTGPU_REQUIRE_POINTER(result);
  const auto state = event->state();
  if (!state->signalled()) return ZE_RESULT_NOT_READY;
  *result = kernel_stamps(*state, clock_of_events());
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventQueryTimestampsExp(ze_event_handle_t event_handle,
                                      ze_device_handle_t device_handle, std::uint32_t* count,
                                      ze_kernel_timestamp_result_t* results) {
  SOFTGPU_FIND(Event, event, event_handle);
  SOFTGPU_FIND(Device, device, device_handle);
  const auto state = event->state();
  if (!state->signalled()) return ZE_RESULT_NOT_READY;
  return return_list(1, count, results, [&](ze_kernel_timestamp_result_t& out, std::uint32_t) {
    out = kernel_stamps(*state, device->clock());
  });
}

ze_result_t zeEventQueryKernelTimestampsExt(
    ze_event_handle_t event_handle, ze_device_handle_t device_handle, std::uint32_t* count,
    ze_event_query_kernel_timestamps_results_ext_properties_t* results) {
  ze_kernel_timestamp_result_t* stamps =
      results != nullptr ? results->pKernelTimestampsBuffer : nullptr;
  if (results != nullptr && results->pSynchronizedTimestampsBuffer != nullptr) {
    return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  }
  return entry::zeEventQueryTimestampsExp(event_handle, device_handle, count, stamps);
}

ze_result_t zeEventGetEventPool(ze_event_handle_t event_handle, ze_event_pool_handle_t* pool) {
  SOFTGPU_FIND(Event, event, event_handle);
  SOFTGPU_REQUIRE_POINTER(pool);
  *pool = handle_of<ze_event_pool_handle_t>(event->pool());
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventGetSignalScope(ze_event_handle_t event_handle, ze_event_scope_flags_t* scope) {
  SOFTGPU_FIND(Event, event, event_handle);
  SOFTGPU_REQUIRE_POINTER(scope);
  *scope = event->signal_scope();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventGetWaitScope(ze_event_handle_t event_handle, ze_event_scope_flags_t* scope) {
  SOFTGPU_FIND(Event, event, event_handle);
  SOFTGPU_REQUIRE_POINTER(scope);
  *scope = event->wait_scope();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeFenceCreate(ze_command_queue_handle_t queue_handle,
                          const ze_fence_desc_t* description, ze_fence_handle_t* fence) {
  SOFTGPU_FIND(CommandQueue, queue, queue_handle);
  SOFTGPU_REQUIRE_POINTER(description);
  SOFTGPU_REQUIRE_POINTER(fence);
  if (has_unknown_flags(description->flags, ZE_FENCE_FLAG_SIGNALED)) {
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  }
  const bool signalled = (description->flags & ZE_FENCE_FLAG_SIGNALED) != 0;
  return publish(std::make_shared<Fence>(signalled), fence);
}

ze_result_t zeFenceDestroy(ze_fence_handle_t fence) { return retire<Fence>(fence); }

ze_result_t zeFenceHostSynchronize(ze_fence_handle_t fence_handle, std::uint64_t timeout_ns) {
  SOFTGPU_FIND(Fence, fence, fence_handle);
  return wait_for(*fence->state(), timeout_ns);
}

ze_result_t zeFenceQueryStatus(ze_fence_handle_t fence_handle) {
  SOFTGPU_FIND(Fence, fence, fence_handle);
  return status_of(*fence->state());
}

ze_result_t zeFenceReset(ze_fence_handle_t fence_handle) {
  SOFTGPU_FIND(Fence, fence, fence_handle);
  fence->state()->reset_from_host();
  return ZE_RESULT_SUCCESS;
}

}  // namespace softgpu::entry
