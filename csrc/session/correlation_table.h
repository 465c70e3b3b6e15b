// Which attribution each launch has whose record has not come yet.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

#include "context/id_map.h"
#include "session/attribution.h"

namespace proton_xpu {

/// Thread-safe. Ids count up, so neighbouring launches meet different locks. Nothing is allocated
/// once the table has the size that the number of launches under way needs. A tracer that never
/// delivers some records cannot make it grow without end: the oldest entries give way.
class CorrelationTable {
 public:
  static constexpr std::size_t kStripes = 64;

  /// `max_entries_per_stripe` bounds the table at kStripes times as many launches under way.
  explicit CorrelationTable(std::size_t max_entries_per_stripe = std::size_t{1} << 16)
      : max_entries_per_stripe_(max_entries_per_stripe) {}

  /// Stores the attribution of a launch. Calls on_lost(attribution) for each entry that gives way:
  /// an older launch with the same id, or the oldest half of a full stripe.
  template <typename OnLost>
  void put(std::uint64_t correlation_id, Attribution* attribution, OnLost&& on_lost) {
    Stripe& stripe = stripe_of(correlation_id);
    const std::lock_guard<std::mutex> lock(stripe.mutex);
    if (stripe.entries.size() >= max_entries_per_stripe_) {
      drop_oldest(&stripe.entries, on_lost);
    }
    const auto [entry, is_new] = stripe.entries.insert(correlation_id / kStripes, attribution);
    if (!is_new) {
      on_lost(*entry);
      *entry = attribution;
    }
  }

  /// Removes and returns the attribution of a launch, or returns null if there is none.
  Attribution* take(std::uint64_t correlation_id) {
    Stripe& stripe = stripe_of(correlation_id);
    Attribution* attribution = nullptr;
    const std::lock_guard<std::mutex> lock(stripe.mutex);
    stripe.entries.take(correlation_id / kStripes, &attribution);
    return attribution;
  }

  /// Removes all entries, calling on_lost(attribution) for each.
  template <typename OnLost>
  void drain(OnLost&& on_lost) {
    for (Stripe& stripe : stripes_) {
      const std::lock_guard<std::mutex> lock(stripe.mutex);
      stripe.entries.for_each(
          [&on_lost](std::uint64_t, Attribution* attribution) { on_lost(attribution); });
      stripe.entries.clear();
    }
  }

 private:
  using Entries = IdMap<Attribution*, SequentialHash>;

  struct alignas(64) Stripe {
    std::mutex mutex;
    Entries entries;  // Keyed by correlation id / kStripes.
  };

  Stripe& stripe_of(std::uint64_t correlation_id) { return stripes_[correlation_id % kStripes]; }

  template <typename OnLost>
  static void drop_oldest(Entries* entries, OnLost&& on_lost) {
    for (const std::uint64_t key : oldest_half(*entries)) {
      Attribution* attribution = nullptr;
      entries->take(key, &attribution);
      on_lost(attribution);
    }
  }

  static std::vector<std::uint64_t> oldest_half(const Entries& entries);

  const std::size_t max_entries_per_stripe_;
  std::array<Stripe, kStripes> stripes_;
};

}  // namespace proton_xpu
