// Frees a block only when all commands that were submitted before are completed: Python frees
// temporaries while kernels that use them are still queued.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace softgpu {

class Worker;

class DeferredFrees {
 public:
  static DeferredFrees& instance();

  /// Calls std::free(block), now or later.
  void free(void* block);

  /// Frees what may be freed now. Called after each command; costs one load if nothing is due.
  void collect() {
    if (waiting_.load(std::memory_order_relaxed) != 0) collect_waiting();
  }

  /// Number of blocks not freed yet.
  std::size_t waiting() const { return waiting_.load(); }

 private:
  struct Block {
    void* memory;
    std::vector<std::pair<std::shared_ptr<const Worker>, std::uint64_t>> users;
  };

  void collect_waiting();

  std::atomic<std::size_t> waiting_{0};
  std::mutex mutex_;
  std::deque<Block> blocks_;
};

}  // namespace softgpu
