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
/// once the table has the size that the number of launches under way needs.
///
/// A deferred launch stays known after its record, since its command list may run again. Most
/// lists run once, so of those that have run once only the newer ones stay. And a tracer that never
/// delivers some records cannot make the table grow without end: the oldest entries give way.
class CorrelationTable {
 public:
  static constexpr std::size_t kStripes = 64;

  struct Limits {
    std::size_t entries = std::size_t{1} << 16;   ///< Of a stripe, whatever they are.
    std::size_t deferred = std::size_t{1} << 11;  ///< Entries of a stripe before old ones go.
  };

  CorrelationTable() : CorrelationTable(Limits()) {}
  explicit CorrelationTable(Limits limits);

  /// Stores the attribution of a launch, in place of an older launch with the same id.
  void put(std::uint64_t correlation_id, Attribution* attribution, bool deferred);

  /// Returns the attribution of a launch whose record has come, or null if the launch is unknown.
  /// The caller settles it. Each record of a deferred launch counts as a run.
  Attribution* take(std::uint64_t correlation_id);

  /// Gives up all entries.
  void clear();

 private:
  struct Entry {
    Attribution* attribution;
    std::uint32_t runs;
    bool deferred;
  };
  using Entries = IdMap<Entry, SequentialHash>;

  struct alignas(64) Stripe {
    std::mutex mutex;
    Entries entries;  // Keyed by correlation id / kStripes.
    std::size_t next_sweep;
  };

  Stripe& stripe_of(std::uint64_t correlation_id) { return stripes_[correlation_id % kStripes]; }
  void make_room(Stripe* stripe);
  static void give_up(const Entry& entry);
  template <typename Matches>
  static void drop_oldest_half(Entries* entries, Matches&& matches);

  const Limits limits_;
  std::array<Stripe, kStripes> stripes_;
};

}  // namespace proton_xpu
