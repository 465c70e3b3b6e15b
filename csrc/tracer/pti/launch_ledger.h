// Remembers which launches still wait for their record, so that each is accounted for exactly once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace proton_xpu {

/// A set of launch ids, split into shards with a lock each: launching threads rarely meet, and the
/// memory grows with the number of launches in flight, not with all launches. Ids of neighbouring
/// launches share a block of bits, so a million launches in flight take well under a megabyte.
class LaunchLedger {
 public:
  enum class Claim {
    kPending,   ///< A launch that waited for this record; it no longer does.
    kDeferred,  ///< A launch in a regular list; it stays known, more records may come.
    kUnknown    ///< No launch, or one that had its record or was given up.
  };

  /// Some ids of one block.
  struct PendingBlock {
    std::size_t shard;
    std::uint64_t key;
    std::uint64_t mask;
  };
  using PendingBlocks = std::vector<PendingBlock>;

  /// Adds a launch. Called by launching threads. Allocates only when more launches are in flight
  /// than ever before; a launch for which there is no memory is counted by dropped().
  void add(std::uint64_t id, bool deferred) noexcept;

  /// A record for `id` has come.
  Claim claim(std::uint64_t id) noexcept;

  /// The launches that wait for their record now; deferred ones never wait.
  PendingBlocks pending() const;

  /// How many of `blocks` still wait.
  std::size_t count_remaining(const PendingBlocks& blocks) const noexcept;

  /// Gives up those of `blocks` that still wait and returns their ids.
  std::vector<std::uint64_t> give_up(const PendingBlocks& blocks);

  /// Forgets everything but dropped().
  void clear() noexcept;

  /// True if a deferred launch was added since clear().
  bool has_deferred() const noexcept;

  /// Launches that found no memory.
  std::uint64_t dropped() const noexcept;

 private:
  static constexpr unsigned kShardBits = 6;
  static constexpr unsigned kBlockBits = 6;

  /// One slot of a hash table with linear probing; a slot without any bit is free.
  struct Slot {
    std::uint64_t key = 0;
    std::uint64_t pending = 0;
    std::uint64_t deferred = 0;

    bool is_free() const { return (pending | deferred) == 0; }
  };

  struct alignas(64) Shard {
    mutable std::mutex mutex;
    std::vector<Slot> slots;
    std::size_t used = 0;
    bool has_deferred = false;
    std::uint64_t dropped = 0;

    Slot* find(std::uint64_t key);
    const Slot* find(std::uint64_t key) const;
    Slot& find_or_insert(std::uint64_t key);
    void erase(Slot& slot);
    void grow();
  };

  static std::size_t shard_of(std::uint64_t id) { return id & ((1U << kShardBits) - 1); }
  static std::uint64_t key_of(std::uint64_t id) { return id >> (kShardBits + kBlockBits); }
  static std::uint64_t bit_of(std::uint64_t id) {
    return std::uint64_t{1} << ((id >> kShardBits) & ((1U << kBlockBits) - 1));
  }

  std::array<Shard, 1U << kShardBits> shards_;
};

}  // namespace proton_xpu
