#include "softgpu/allocations.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "softgpu/deferred_free.h"

namespace softgpu {
namespace {

// What compilers may assume of a device pointer.
constexpr std::size_t kSmallestAlignment = 64;

}  // namespace

Allocations& Allocations::instance() {
  static Allocations* const allocations = new Allocations;
  return *allocations;
}

void* Allocations::allocate(std::size_t size, std::size_t alignment, ze_memory_type_t type,
                            std::shared_ptr<Device> device) {
  void* memory = nullptr;
  if (posix_memalign(&memory, std::max(alignment, kSmallestAlignment), size) != 0) return nullptr;
  const auto base = reinterpret_cast<std::uintptr_t>(memory);
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  by_base_[base] = {base, size, type, std::move(device), next_id_++};
  return memory;
}

bool Allocations::free(void* pointer) {
  {
    const std::unique_lock<std::shared_mutex> lock(mutex_);
    if (by_base_.erase(reinterpret_cast<std::uintptr_t>(pointer)) == 0) return false;
  }
  DeferredFrees::instance().free(pointer);
  return true;
}

std::optional<Allocation> Allocations::find(const void* pointer) const {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  auto entry = by_base_.upper_bound(address);
  if (entry == by_base_.begin()) return std::nullopt;
  --entry;
  if (address - entry->first >= entry->second.size) return std::nullopt;
  return entry->second;
}

}  // namespace softgpu
