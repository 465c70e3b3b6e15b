#include "softgpu/deferred_free.h"

#include <algorithm>
#include <cstdlib>

#include "softgpu/worker.h"

namespace softgpu {

DeferredFrees& DeferredFrees::instance() {
  static DeferredFrees* const frees = new DeferredFrees;
  return *frees;
}

void DeferredFrees::free(void* block) {
  Block entry{block, {}};
  for (auto& worker : Worker::all()) {
    const std::uint64_t submitted = worker->submitted();
    if (worker->completed() < submitted) entry.users.emplace_back(std::move(worker), submitted);
  }
  if (entry.users.empty()) {
    std::free(block);
    return;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    blocks_.push_back(std::move(entry));
    waiting_.fetch_add(1);
  }
  // A worker may have completed its last command before the block was in the list.
  collect_waiting();
}

void DeferredFrees::collect_waiting() {
  std::vector<Block> due;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto first_due =
        std::stable_partition(blocks_.begin(), blocks_.end(), [](const Block& block) {
          return std::any_of(block.users.begin(), block.users.end(), [](const auto& user) {
            return user.first->completed() < user.second;
          });
        });
    due.assign(std::make_move_iterator(first_due), std::make_move_iterator(blocks_.end()));
    blocks_.erase(first_due, blocks_.end());
    waiting_.fetch_sub(due.size());
  }
  for (const Block& block : due) std::free(block.memory);
}

}  // namespace softgpu
