#include "session/correlation_table.h"

#include <algorithm>

namespace proton_xpu {

std::vector<std::uint64_t> CorrelationTable::oldest_half(const Entries& entries) {
  std::vector<std::uint64_t> keys;
  keys.reserve(entries.size());
  entries.for_each([&keys](std::uint64_t key, Attribution*) { keys.push_back(key); });
  const std::size_t half = (keys.size() + 1) / 2;
  std::nth_element(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(half), keys.end());
  keys.resize(half);
  return keys;
}

}  // namespace proton_xpu
