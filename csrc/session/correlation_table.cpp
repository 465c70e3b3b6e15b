#include "session/correlation_table.h"

#include <algorithm>

namespace proton_xpu {

CorrelationTable::CorrelationTable(Limits limits) : limits_(limits) {
  for (Stripe& stripe : stripes_) {
    stripe.next_sweep = limits_.deferred;
  }
}

// Whatever gives way stays counted as a launch, and so as one without a record.
void CorrelationTable::give_up(const Entry& entry) {
  if (entry.deferred) {
    entry.attribution->forget_deferred();
  } else {
    entry.attribution->settle();
  }
}

template <typename Matches>
void CorrelationTable::drop_oldest_half(Entries* entries, Matches&& matches) {
  std::vector<std::uint64_t> keys;
  entries->for_each([&](std::uint64_t key, const Entry& entry) {
    if (matches(entry)) {
      keys.push_back(key);
    }
  });
  const std::size_t half = (keys.size() + 1) / 2;
  std::nth_element(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(half), keys.end());
  for (std::size_t i = 0; i < half; ++i) {
    Entry entry{};
    entries->take(keys[i], &entry);
    give_up(entry);
  }
}

void CorrelationTable::make_room(Stripe* stripe) {
  if (stripe->entries.size() >= stripe->next_sweep) {
    drop_oldest_half(&stripe->entries,
                     [](const Entry& entry) { return entry.deferred && entry.runs == 1; });
    stripe->next_sweep = std::max(limits_.deferred, stripe->entries.size() * 2);
  }
  if (stripe->entries.size() >= limits_.entries) {
    drop_oldest_half(&stripe->entries, [](const Entry&) { return true; });
  }
}

void CorrelationTable::put(std::uint64_t correlation_id, Attribution* attribution, bool deferred) {
  Stripe& stripe = stripe_of(correlation_id);
  const std::lock_guard<std::mutex> lock(stripe.mutex);
  make_room(&stripe);
  const Entry fresh{attribution, 0, deferred};
  const auto [entry, is_new] = stripe.entries.insert(correlation_id / kStripes, fresh);
  if (!is_new) {
    give_up(*entry);
    *entry = fresh;
  }
}

Attribution* CorrelationTable::take(std::uint64_t correlation_id) {
  Stripe& stripe = stripe_of(correlation_id);
  const std::uint64_t key = correlation_id / kStripes;
  const std::lock_guard<std::mutex> lock(stripe.mutex);
  Entry* entry = stripe.entries.find(key);
  if (entry == nullptr) {
    return nullptr;
  }
  Attribution* attribution = entry->attribution;
  if (entry->deferred) {
    // Counted under the lock: until it is settled, the run keeps the attribution alive even if the
    // entry gives way.
    attribution->count_run();
    ++entry->runs;
  } else {
    stripe.entries.erase(key);
  }
  return attribution;
}

void CorrelationTable::clear() {
  for (Stripe& stripe : stripes_) {
    const std::lock_guard<std::mutex> lock(stripe.mutex);
    stripe.entries.for_each([](std::uint64_t, const Entry& entry) { give_up(entry); });
    stripe.entries.clear();
  }
}

}  // namespace proton_xpu
