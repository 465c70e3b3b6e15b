// What an event or a fence stands for at one time: signalled or not, and the stamps of the work
// that signalled it. Commands in flight hold the state, not the event, so the event may be
// destroyed.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace softgpu {

class EventState {
 public:
  explicit EventState(bool signalled = false) : signalled_(signalled) {}

  /// Stores the stamps (device ticks), becomes signalled and wakes the waiters.
  void signal(std::uint64_t start, std::uint64_t end);
  /// Like signal, for work that failed.
  void signal_failed(std::uint64_t start, std::uint64_t end);

  void reset_from_host() { signalled_.store(false); }

  /// A reset by a command takes effect in the order of its queue. Announce it when the command is
  /// submitted; a wait submitted later then does not take the event's present signal for its own.
  void announce_device_reset() { announced_resets_.fetch_add(1); }
  void reset_from_device();

  bool signalled() const { return signalled_.load(std::memory_order_acquire); }
  bool failed() const { return failed_.load(std::memory_order_relaxed); }
  std::uint64_t start() const { return start_.load(std::memory_order_relaxed); }
  std::uint64_t end() const { return end_.load(std::memory_order_relaxed); }

  /// Waits on the host; false after `timeout_ns`.
  bool wait(std::uint64_t timeout_ns) const;

 private:
  friend class EventWait;

  std::atomic<bool> signalled_;
  std::atomic<bool> failed_{false};
  std::atomic<int> announced_resets_{0};
  std::atomic<std::uint64_t> signals_{0};
  std::atomic<std::uint64_t> signals_at_device_reset_{0};
  std::atomic<std::uint64_t> start_{0};
  std::atomic<std::uint64_t> end_{0};
};

/// A wait as it was queued. Profilers reset and reuse an event as soon as they see it signalled, so
/// a waiter that looks later must not wait for the event's next life: the wait is over if the event
/// is signalled, was signalled when the wait was queued, or has been signalled since.
class EventWait {
 public:
  explicit EventWait(std::shared_ptr<const EventState> state);

  bool over() const;

  /// Waits until over() or `cancelled` is set; the latter's setter must wake all parked threads.
  void wait(const std::atomic<bool>& cancelled) const;

  /// When the work waited for ended, in device ticks. Valid once over().
  std::uint64_t end() const { return over_when_queued_ ? end_when_queued_ : state_->end(); }

 private:
  std::shared_ptr<const EventState> state_;
  std::uint64_t signals_when_queued_;
  std::uint64_t end_when_queued_;
  bool over_when_queued_;
};

}  // namespace softgpu
