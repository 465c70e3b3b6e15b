// Where a launch belongs: for each session that was active, a node and a phase. Threads keep the
// attribution of their present context at hand, so that a launch only has to store a pointer.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "context/context_tree.h"
#include "data/profile_data.h"

namespace proton_xpu {

class Session;

struct Target {
  std::shared_ptr<Session> session;
  Placement placement;
  bool is_op = false;  ///< The node is a named operation, which stands for its kernels.
};

/// Owned by an AttributionPool, used for launches by one thread.
class Attribution {
 public:
  explicit Attribution(std::vector<Target> targets) : targets_(std::move(targets)) {}

  const std::vector<Target>& targets() const { return targets_; }

  /// By the owning thread only, once for each launch. A deferred one is no launch yet: each run of
  /// its command list is one.
  void count_launch(bool deferred) noexcept {
    std::atomic<std::uint64_t>& count = deferred ? deferred_ : launches_;
    count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  /// A deferred launch that is still known has run.
  void count_run() noexcept { runs_.fetch_add(1, std::memory_order_release); }

  /// By whoever takes the record or the loss of a launch or a run, as the last use of this.
  void settle() noexcept { settled_.fetch_add(1, std::memory_order_release); }

  /// A deferred launch is no longer known, so it will not be seen to run again.
  void forget_deferred() noexcept { forgotten_.fetch_add(1, std::memory_order_release); }

  /// By the owning thread: it will launch nothing more with this.
  void retire() noexcept { retired_.store(true, std::memory_order_release); }

  std::uint64_t launches() const {
    return launches_.load(std::memory_order_acquire) + runs_.load(std::memory_order_acquire);
  }
  std::uint64_t outstanding() const {
    const std::uint64_t settled = settled_.load(std::memory_order_acquire);
    return launches() - settled;
  }

  /// True if nobody can use it any more.
  bool is_done() const {
    return retired_.load(std::memory_order_acquire) &&
           forgotten_.load(std::memory_order_acquire) ==
               deferred_.load(std::memory_order_acquire) &&
           outstanding() == 0;
  }

 private:
  const std::vector<Target> targets_;
  std::atomic<std::uint64_t> launches_{0};
  std::atomic<std::uint64_t> deferred_{0};
  std::atomic<bool> retired_{false};
  // Written by other threads than the rest.
  alignas(64) std::atomic<std::uint64_t> settled_{0};
  std::atomic<std::uint64_t> runs_{0};
  std::atomic<std::uint64_t> forgotten_{0};
};

/// All attributions in use. Thread-safe.
class AttributionPool {
 public:
  Attribution* make(std::vector<Target> targets);

  /// Launches attributed to the session so far.
  std::uint64_t launches(const Session& session) const;

  /// Those of them, made in `phase`, whose record has not come.
  std::uint64_t outstanding(const Session& session, Phase phase) const;

 private:
  void drop_done();

  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Attribution>> attributions_;
  std::size_t next_sweep_ = 1024;
};

}  // namespace proton_xpu
