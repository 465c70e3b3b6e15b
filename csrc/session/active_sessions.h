// Which sessions are active, as all threads see it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace proton_xpu {

class Session;
class ThreadContext;

/// Thread-safe. Threads keep a copy of the list and compare epochs to see that it is stale.
class ActiveSessions {
 public:
  using List = std::vector<std::shared_ptr<Session>>;

  std::uint64_t epoch() const noexcept { return epoch_.load(std::memory_order_seq_cst); }

  struct Snapshot {
    std::uint64_t epoch;
    List sessions;
  };
  Snapshot snapshot() const;

  /// Replaces the list. Launches that begin afterwards use the new one.
  void set(List sessions);

  /// Makes all threads look again, for instance because a session's phase has changed.
  void touch();

  void add_thread(ThreadContext* thread);
  void remove_thread(ThreadContext* thread);

  /// Returns once every launch that began with an older list is stored and counted.
  void wait_for_launches() const;

 private:
  std::atomic<std::uint64_t> epoch_{1};
  mutable std::mutex mutex_;
  List sessions_;
  mutable std::mutex threads_mutex_;
  std::vector<ThreadContext*> threads_;
};

}  // namespace proton_xpu
