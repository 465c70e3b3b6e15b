// Event pools, events and fences.
#pragma once

#include <level_zero/ze_api.h>

#include <memory>
#include <mutex>
#include <utility>

#include "softgpu/event_state.h"
#include "softgpu/handle.h"

namespace softgpu {

class Context;
class Device;

class EventPool : public Object {
 public:
  static constexpr HandleKind kKind = HandleKind::kEventPool;

  EventPool(std::shared_ptr<Context> context, ze_event_pool_flags_t flags, std::uint32_t size,
            bool counter_based)
      : context_(std::move(context)), flags_(flags), size_(size), counter_based_(counter_based) {}

  const Context& context() const { return *context_; }
  ze_event_pool_flags_t flags() const { return flags_; }
  std::uint32_t size() const { return size_; }
  bool counter_based() const { return counter_based_; }

 private:
  std::shared_ptr<Context> context_;
  ze_event_pool_flags_t flags_;
  std::uint32_t size_;
  bool counter_based_;
};

class Event : public Object {
 public:
  static constexpr HandleKind kKind = HandleKind::kEvent;

  Event(std::shared_ptr<EventPool> pool, ze_event_scope_flags_t signal_scope,
        ze_event_scope_flags_t wait_scope);

  const EventPool& pool() const { return *pool_; }
  ze_event_scope_flags_t signal_scope() const { return signal_scope_; }
  ze_event_scope_flags_t wait_scope() const { return wait_scope_; }

  std::shared_ptr<EventState> state() const;

  /// The state that a command submitted now is to signal. A counter-based event gets a new one each
  /// time; who waits for the one before still has that.
  std::shared_ptr<EventState> state_to_signal();

 private:
  std::shared_ptr<EventPool> pool_;
  ze_event_scope_flags_t signal_scope_;
  ze_event_scope_flags_t wait_scope_;
  mutable std::mutex mutex_;  // Guards state_ of counter-based events; others' never changes.
  std::shared_ptr<EventState> state_;
};

class Fence : public Object {
 public:
  static constexpr HandleKind kKind = HandleKind::kFence;

  explicit Fence(bool signalled) : state_(std::make_shared<EventState>(signalled)) {}

  const std::shared_ptr<EventState>& state() const { return state_; }

 private:
  std::shared_ptr<EventState> state_;
};

}  // namespace softgpu
