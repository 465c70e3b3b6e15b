// A hash map from 64-bit ids to small trivially copyable values: open addressing, linear probing,
// deletion without tombstones. It allocates only when it grows, so that a map whose size has
// settled is free of allocation on every path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace proton_xpu {

/// For ids without a pattern.
struct MixedHash {
  static std::uint64_t hash(std::uint64_t key) noexcept {
    key ^= key >> 32;
    key *= 0x9E3779B97F4A7C15u;
    return key ^ (key >> 29);
  }
};

/// For ids that count up: neighbours land in neighbouring slots.
struct SequentialHash {
  static std::uint64_t hash(std::uint64_t key) noexcept { return key; }
};

template <typename Value, typename Hash = MixedHash>
class IdMap {
  static_assert(std::is_trivially_copyable_v<Value>);

 public:
  /// The one key that cannot be stored.
  static constexpr std::uint64_t kNoKey = ~std::uint64_t{0};

  std::size_t size() const noexcept { return size_; }

  /// The value of `key`, or null. Valid until the next insertion or removal.
  Value* find(std::uint64_t key) noexcept {
    const std::size_t i = slot_of(key);
    return i == kNoSlot ? nullptr : &slots_[i].value;
  }
  const Value* find(std::uint64_t key) const noexcept {
    return const_cast<IdMap*>(this)->find(key);
  }

  /// Stores `value` unless `key` is there. Returns the stored value and whether it is new.
  std::pair<Value*, bool> insert(std::uint64_t key, const Value& value) {
    if ((size_ + 1) * 4 > slots_.size() * 3) {
      grow();
    }
    std::size_t i = home(key);
    while (slots_[i].key != kNoKey) {
      if (slots_[i].key == key) {
        return {&slots_[i].value, false};
      }
      i = next(i);
    }
    slots_[i] = {key, value};
    ++size_;
    return {&slots_[i].value, true};
  }

  /// Removes `key` and hands out its value. Returns false if it was not there.
  bool take(std::uint64_t key, Value* value) noexcept {
    const std::size_t i = slot_of(key);
    if (i == kNoSlot) {
      return false;
    }
    *value = slots_[i].value;
    close_gap(i);
    --size_;
    return true;
  }

  bool erase(std::uint64_t key) noexcept {
    Value ignored{};
    return take(key, &ignored);
  }

  void clear() noexcept {
    for (Slot& slot : slots_) {
      slot.key = kNoKey;
    }
    size_ = 0;
  }

  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const Slot& slot : slots_) {
      if (slot.key != kNoKey) {
        visit(slot.key, slot.value);
      }
    }
  }

 private:
  struct Slot {
    std::uint64_t key = kNoKey;
    Value value{};
  };
  static constexpr std::size_t kFirstCapacity = 16;
  static constexpr std::size_t kNoSlot = ~std::size_t{0};

  std::size_t slot_of(std::uint64_t key) const noexcept {
    if (slots_.empty()) {
      return kNoSlot;
    }
    for (std::size_t i = home(key);; i = next(i)) {
      if (slots_[i].key == key) {
        return i;
      }
      if (slots_[i].key == kNoKey) {
        return kNoSlot;
      }
    }
  }

  std::size_t home(std::uint64_t key) const noexcept {
    return Hash::hash(key) & (slots_.size() - 1);
  }
  std::size_t next(std::size_t i) const noexcept { return (i + 1) & (slots_.size() - 1); }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? kFirstCapacity : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.key != kNoKey) {
        std::size_t i = home(slot.key);
        while (slots_[i].key != kNoKey) {
          i = next(i);
        }
        slots_[i] = slot;
      }
    }
  }

  // Moves later members of the probe run back, so that no search ends early at the gap.
  void close_gap(std::size_t gap) noexcept {
    for (std::size_t i = next(gap); slots_[i].key != kNoKey; i = next(i)) {
      const std::size_t mask = slots_.size() - 1;
      const std::size_t distance_from_home = (i - home(slots_[i].key)) & mask;
      const std::size_t distance_from_gap = (i - gap) & mask;
      if (distance_from_home >= distance_from_gap) {
        slots_[gap] = slots_[i];
        gap = i;
      }
    }
    slots_[gap].key = kNoKey;
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace proton_xpu
