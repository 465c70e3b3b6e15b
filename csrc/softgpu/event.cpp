#include "softgpu/event.h"

namespace softgpu {

Event::Event(std::shared_ptr<EventPool> pool, ze_event_scope_flags_t signal_scope,
             ze_event_scope_flags_t wait_scope)
    : pool_(std::move(pool)),
      signal_scope_(signal_scope),
      wait_scope_(wait_scope),
      // A counter-based event counts as signalled until its first use.
      state_(std::make_shared<EventState>(pool_->counter_based())) {}

std::shared_ptr<EventState> Event::state() const {
  if (!pool_->counter_based()) return state_;
  const std::lock_guard<std::mutex> lock(mutex_);
  return state_;
}

std::shared_ptr<EventState> Event::state_to_signal() {
  if (!pool_->counter_based()) return state_;
  const std::lock_guard<std::mutex> lock(mutex_);
  state_ = std::make_shared<EventState>();
  return state_;
}

}  // namespace softgpu
