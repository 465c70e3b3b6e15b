#include "softgpu/event_state.h"

#include <utility>

#include "softgpu/parking.h"

namespace softgpu {

void EventState::signal(std::uint64_t start, std::uint64_t end) {
  start_.store(start, std::memory_order_relaxed);
  end_.store(end, std::memory_order_relaxed);
  signals_.fetch_add(1);
  signalled_.store(true, std::memory_order_release);
  ParkingLot::notify(this);
}

void EventState::signal_failed(std::uint64_t start, std::uint64_t end) {
  failed_.store(true, std::memory_order_relaxed);
  signal(start, end);
}

void EventState::reset_from_device() {
  signals_at_device_reset_.store(signals_.load());
  signalled_.store(false);
  announced_resets_.fetch_sub(1);
}

bool EventState::wait(std::uint64_t timeout_ns) const {
  const std::uint64_t before = signals_.load();
  return ParkingLot::wait(this, timeout_ns,
                          [&] { return signalled() || signals_.load() > before; });
}

EventWait::EventWait(std::shared_ptr<const EventState> state) : state_(std::move(state)) {
  signals_when_queued_ = state_->signals_.load();
  over_when_queued_ = state_->signalled() && state_->announced_resets_.load() == 0;
  end_when_queued_ = state_->end();
}

bool EventWait::over() const {
  if (over_when_queued_ || state_->signalled()) return true;
  const std::uint64_t signals = state_->signals_.load();
  return signals > signals_when_queued_ && signals > state_->signals_at_device_reset_.load();
}

void EventWait::wait(const std::atomic<bool>& cancelled) const {
  ParkingLot::wait(state_.get(), ParkingLot::kForever, [&] { return over() || cancelled.load(); });
}

}  // namespace softgpu
