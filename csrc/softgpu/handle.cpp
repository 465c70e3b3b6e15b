#include "softgpu/handle.h"

#include <sys/mman.h>

#include <new>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace softgpu {
namespace {

constexpr std::size_t kMaxHandles = std::size_t{1} << 22;
constexpr std::size_t kRestingHandles = 4096;

}  // namespace

HandleTable& HandleTable::instance() {
  static HandleTable* const table = new HandleTable;
  return *table;
}

HandleTable::HandleTable() {
  void* region = mmap(nullptr, kMaxHandles * sizeof(Slot), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (region == MAP_FAILED) throw std::bad_alloc();
  slots_ = static_cast<Slot*>(region);
#if defined(__SANITIZE_ADDRESS__)
  // The leak checker does not look into mapped memory by itself.
  __lsan_register_root_region(region, kMaxHandles * sizeof(Slot));
#endif
}

void* HandleTable::create(HandleKind kind, std::shared_ptr<Object> object) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Slot* slot = nullptr;
  if (resting_.size() > kRestingHandles) {
    slot = resting_.front();
    resting_.pop_front();
  } else {
    const std::size_t index = used_.load(std::memory_order_relaxed);
    if (index == kMaxHandles) throw std::bad_alloc();
    slot = new (slots_ + index) Slot{};
    used_.store(index + 1, std::memory_order_release);
  }
  object->handle_ = slot;
  slot->object = std::move(object);
  slot->kind.store(kind, std::memory_order_release);
  return slot;
}

std::shared_ptr<Object> HandleTable::remove(HandleKind kind, const void* handle) {
  Slot* slot = slot_of(handle);
  if (slot == nullptr) return nullptr;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (slot->kind.load(std::memory_order_relaxed) != kind) return nullptr;
  slot->kind.store(HandleKind::kNone, std::memory_order_release);
  resting_.push_back(slot);
  return std::move(slot->object);
}

}  // namespace softgpu
