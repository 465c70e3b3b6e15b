#include "tracer/pti/launch_ledger.h"

#include <new>
#include <utility>

namespace proton_xpu {
namespace {

constexpr std::size_t kFirstCapacity = 16;

std::size_t home_of(std::uint64_t key, std::size_t capacity) {
  // Keys are consecutive while ids are, so the low bits alone spread them perfectly.
  return key & (capacity - 1);
}

unsigned count_bits(std::uint64_t mask) {
  return static_cast<unsigned>(__builtin_popcountll(mask));
}

}  // namespace

const LaunchLedger::Slot* LaunchLedger::Shard::find(std::uint64_t key) const {
  if (slots.empty()) return nullptr;
  for (std::size_t i = home_of(key, slots.size());; i = (i + 1) & (slots.size() - 1)) {
    if (slots[i].is_free()) return nullptr;
    if (slots[i].key == key) return &slots[i];
  }
}

LaunchLedger::Slot* LaunchLedger::Shard::find(std::uint64_t key) {
  return const_cast<Slot*>(std::as_const(*this).find(key));
}

LaunchLedger::Slot& LaunchLedger::Shard::find_or_insert(std::uint64_t key) {
  if ((used + 1) * 2 > slots.size()) grow();
  std::size_t i = home_of(key, slots.size());
  while (!slots[i].is_free() && slots[i].key != key) i = (i + 1) & (slots.size() - 1);
  if (slots[i].is_free()) {
    slots[i].key = key;
    ++used;
  }
  return slots[i];
}

void LaunchLedger::Shard::erase(Slot& slot) {
  // Moves later slots of the same run back, so that no probe stops early at the new gap.
  const std::size_t mask = slots.size() - 1;
  auto gap = static_cast<std::size_t>(&slot - slots.data());
  for (std::size_t i = (gap + 1) & mask; !slots[i].is_free(); i = (i + 1) & mask) {
    const std::size_t home = home_of(slots[i].key, slots.size());
    if (((i - home) & mask) >= ((i - gap) & mask)) {
      slots[gap] = slots[i];
      gap = i;
    }
  }
  slots[gap] = Slot{};
  --used;
}

void LaunchLedger::Shard::grow() {
  std::vector<Slot> larger(slots.empty() ? kFirstCapacity : slots.size() * 2);
  for (const Slot& slot : slots) {
    if (slot.is_free()) continue;
    std::size_t i = home_of(slot.key, larger.size());
    while (!larger[i].is_free()) i = (i + 1) & (larger.size() - 1);
    larger[i] = slot;
  }
  slots.swap(larger);
}

void LaunchLedger::add(std::uint64_t id, bool deferred) noexcept {
  Shard& shard = shards_[shard_of(id)];
  const std::lock_guard<std::mutex> lock(shard.mutex);
  try {
    Slot& slot = shard.find_or_insert(key_of(id));
    (deferred ? slot.deferred : slot.pending) |= bit_of(id);
    shard.has_deferred |= deferred;
  } catch (const std::bad_alloc&) {
    ++shard.dropped;
  }
}

LaunchLedger::Claim LaunchLedger::claim(std::uint64_t id) noexcept {
  Shard& shard = shards_[shard_of(id)];
  const std::uint64_t bit = bit_of(id);
  const std::lock_guard<std::mutex> lock(shard.mutex);
  Slot* slot = shard.find(key_of(id));
  if (slot == nullptr) return Claim::kUnknown;
  if ((slot->deferred & bit) != 0) return Claim::kDeferred;
  if ((slot->pending & bit) == 0) return Claim::kUnknown;
  if (slot->pending == bit && slot->deferred == 0) {
    shard.erase(*slot);
  } else {
    slot->pending &= ~bit;
  }
  return Claim::kPending;
}

LaunchLedger::PendingBlocks LaunchLedger::pending() const {
  PendingBlocks blocks;
  for (std::size_t i = 0; i < shards_.size(); ++i) {
    const std::lock_guard<std::mutex> lock(shards_[i].mutex);
    for (const Slot& slot : shards_[i].slots) {
      if (slot.pending != 0) blocks.push_back({i, slot.key, slot.pending});
    }
  }
  return blocks;
}

std::size_t LaunchLedger::count_remaining(const PendingBlocks& blocks) const noexcept {
  std::size_t count = 0;
  for (const PendingBlock& block : blocks) {
    const Shard& shard = shards_[block.shard];
    const std::lock_guard<std::mutex> lock(shard.mutex);
    if (const Slot* slot = shard.find(block.key)) count += count_bits(slot->pending & block.mask);
  }
  return count;
}

std::vector<std::uint64_t> LaunchLedger::give_up(const PendingBlocks& blocks) {
  std::vector<std::uint64_t> ids;
  for (const PendingBlock& block : blocks) {
    for (std::uint64_t bits = block.mask; bits != 0; bits &= bits - 1) {
      const auto position = static_cast<std::uint64_t>(__builtin_ctzll(bits));
      const std::uint64_t id =
          (block.key << (kShardBits + kBlockBits)) | (position << kShardBits) | block.shard;
      if (claim(id) == Claim::kPending) ids.push_back(id);
    }
  }
  return ids;
}

void LaunchLedger::clear() noexcept {
  for (Shard& shard : shards_) {
    const std::lock_guard<std::mutex> lock(shard.mutex);
    shard.slots.clear();
    shard.slots.shrink_to_fit();
    shard.used = 0;
    shard.has_deferred = false;
  }
}

bool LaunchLedger::has_deferred() const noexcept {
  for (const Shard& shard : shards_) {
    const std::lock_guard<std::mutex> lock(shard.mutex);
    if (shard.has_deferred) return true;
  }
  return false;
}

std::uint64_t LaunchLedger::dropped() const noexcept {
  std::uint64_t total = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard<std::mutex> lock(shard.mutex);
    total += shard.dropped;
  }
  return total;
}

}  // namespace proton_xpu
