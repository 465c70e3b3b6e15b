// Unified shared memory: all kinds are plain host memory here, told apart by what was asked for.
#pragma once

#include <level_zero/ze_api.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>

namespace softgpu {

class Device;

struct Allocation {
  std::uintptr_t base = 0;
  std::size_t size = 0;
  ze_memory_type_t type = ZE_MEMORY_TYPE_UNKNOWN;
  std::shared_ptr<Device> device;  ///< Null for host memory, and shared memory of no device.
  std::uint64_t id = 0;
};

class Allocations {
 public:
  static Allocations& instance();

  /// `alignment`: 0 or a power of two. The memory is not initialised. Null if there is none left.
  void* allocate(std::size_t size, std::size_t alignment, ze_memory_type_t type,
                 std::shared_ptr<Device> device);

  /// Forgets the block that begins at `pointer` and frees it once no command submitted before can
  /// use it. False if no block begins there.
  bool free(void* pointer);

  /// The block that `pointer` points into.
  std::optional<Allocation> find(const void* pointer) const;

 private:
  mutable std::shared_mutex mutex_;
  std::map<std::uintptr_t, Allocation> by_base_;
  std::uint64_t next_id_ = 1;
};

}  // namespace softgpu
