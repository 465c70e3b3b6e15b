// Handles of the API. A handle is the address of a slot in one reserved region that is never given
// back, so any value can be checked without touching foreign memory: null, wild, destroyed handles
// and handles of another type all get the right error. The slots of destroyed handles rest in a
// queue before they are used again, so that a stale handle is not soon mistaken for a new object.
#pragma once

#include <level_zero/ze_api.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>

namespace softgpu {

enum class HandleKind : std::uint32_t {
  kNone,
  kDriver,
  kDevice,
  kContext,
  kCommandQueue,
  kCommandList,
  kEventPool,
  kEvent,
  kFence,
  kModule,
  kModuleBuildLog,
  kKernel,
};

/// Base of everything that has a handle. Commands in flight share the ownership with the handle.
class Object {
 public:
  Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  virtual ~Object() = default;

  /// The handle, for calls that return the handle of a related object.
  void* handle() const { return handle_; }

 private:
  friend class HandleTable;
  void* handle_ = nullptr;
};

class HandleTable {
 public:
  static HandleTable& instance();

  /// A new handle of `object`. Throws std::bad_alloc if all slots are taken.
  void* create(HandleKind kind, std::shared_ptr<Object> object);

  /// The object, or null if `handle` is not a live handle of this kind.
  Object* find(HandleKind kind, const void* handle) const {
    Slot* slot = slot_of(handle);
    if (slot == nullptr || slot->kind.load(std::memory_order_acquire) != kind) return nullptr;
    return slot->object.get();
  }

  /// Like find, with shared ownership.
  std::shared_ptr<Object> share(HandleKind kind, const void* handle) const {
    Slot* slot = slot_of(handle);
    if (slot == nullptr || slot->kind.load(std::memory_order_acquire) != kind) return nullptr;
    return slot->object;
  }

  /// Ends the handle and returns its object; null if it was not live.
  std::shared_ptr<Object> remove(HandleKind kind, const void* handle);

 private:
  // The loader may look for three table pointers at the start of what a handle points to.
  struct alignas(64) Slot {
    void* dispatch_tables[3];
    std::atomic<HandleKind> kind;
    std::shared_ptr<Object> object;
  };
  static_assert(sizeof(Slot) == 64);

  HandleTable();

  Slot* slot_of(const void* handle) const {
    const std::uintptr_t offset =
        reinterpret_cast<std::uintptr_t>(handle) - reinterpret_cast<std::uintptr_t>(slots_);
    if (offset % sizeof(Slot) != 0) return nullptr;
    if (offset / sizeof(Slot) >= used_.load(std::memory_order_acquire)) return nullptr;
    return slots_ + offset / sizeof(Slot);
  }

  Slot* slots_ = nullptr;
  std::atomic<std::size_t> used_{0};
  std::mutex mutex_;
  std::deque<Slot*> resting_;
};

/// Which object and which kind a handle type of the API stands for.
template <typename T>
T* find_object(const void* handle) {
  return static_cast<T*>(HandleTable::instance().find(T::kKind, handle));
}

template <typename T>
std::shared_ptr<T> share_object(const void* handle) {
  return std::static_pointer_cast<T>(HandleTable::instance().share(T::kKind, handle));
}

/// The result for a handle that find_object does not know.
inline ze_result_t bad_handle(const void* handle) {
  return handle == nullptr ? ZE_RESULT_ERROR_INVALID_NULL_HANDLE : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

/// Registers `object` and stores its handle.
template <typename Handle, typename T>
ze_result_t publish(std::shared_ptr<T> object, Handle* out) {
  *out = static_cast<Handle>(HandleTable::instance().create(T::kKind, std::move(object)));
  return ZE_RESULT_SUCCESS;
}

/// Ends a handle; what still runs keeps the object itself alive.
template <typename T>
ze_result_t retire(const void* handle) {
  return HandleTable::instance().remove(T::kKind, handle) ? ZE_RESULT_SUCCESS : bad_handle(handle);
}

template <typename Handle>
Handle handle_of(const Object& object) {
  return static_cast<Handle>(object.handle());
}

}  // namespace softgpu

/// Declares `Type* variable` for a handle argument, or returns the error from the entry point.
#define SOFTGPU_FIND(Type, variable, handle)                                    \
  [[maybe_unused]] Type* const variable = ::softgpu::find_object<Type>(handle); \
  if (variable == nullptr) return ::softgpu::bad_handle(handle)

/// Returns the error from the entry point if a pointer argument is null.
#define SOFTGPU_REQUIRE_POINTER(pointer) \
  if ((pointer) == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER
