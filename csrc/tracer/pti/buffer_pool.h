// Memory for PTI's records: small blocks that are used again and again.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace proton_xpu {

/// Hands out blocks of one size. PTI holds a block for each thread that launches, so the number in
/// use is not limited, but no more than `max_idle` are kept while unused. Thread-safe, never
/// throws.
class BufferPool {
 public:
  BufferPool(std::size_t block_size, std::size_t max_idle);
  ~BufferPool();
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  std::size_t block_size() const { return block_size_; }

  /// A block, or null if there is no memory.
  unsigned char* take() noexcept;

  /// Gives a block of take() back; null is ignored.
  void give_back(unsigned char* block) noexcept;

  std::size_t idle_count() const noexcept;

 private:
  const std::size_t block_size_;
  const std::size_t max_idle_;
  mutable std::mutex mutex_;
  std::vector<unsigned char*> idle_;
};

}  // namespace proton_xpu
