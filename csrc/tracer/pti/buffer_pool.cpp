#include "tracer/pti/buffer_pool.h"

#include <cstdlib>

namespace proton_xpu {
namespace {

/// PTI places records at the start of a block, so this is the records' alignment.
constexpr std::size_t kBlockAlignment = 64;

}  // namespace

BufferPool::BufferPool(std::size_t block_size, std::size_t max_idle)
    : block_size_(block_size / kBlockAlignment * kBlockAlignment), max_idle_(max_idle) {
  idle_.reserve(max_idle);
}

BufferPool::~BufferPool() {
  for (unsigned char* block : idle_) std::free(block);
}

unsigned char* BufferPool::take() noexcept {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!idle_.empty()) {
      unsigned char* block = idle_.back();
      idle_.pop_back();
      return block;
    }
  }
  return static_cast<unsigned char*>(std::aligned_alloc(kBlockAlignment, block_size_));
}

void BufferPool::give_back(unsigned char* block) noexcept {
  if (block == nullptr) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (idle_.size() < max_idle_) {
      idle_.push_back(block);
      return;
    }
  }
  std::free(block);
}

std::size_t BufferPool::idle_count() const noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  return idle_.size();
}

}  // namespace proton_xpu
