// Metrics that a user gives: their values, how their names are read and how they add up.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace proton_xpu {

using MetricValue =
    std::variant<std::int64_t, double, std::vector<std::int64_t>, std::vector<double>>;

struct Metric {
  std::string name;
  MetricValue value;
};

/// What the end of a metric's name says.
enum class MetricRule : std::uint8_t {
  kSum,        ///< Adds up, and parents include their children.
  kExclusive,  ///< `(exc)`: adds up, parents do not include it.
  kProperty    ///< `(pty)`: the last value stands.
};

MetricRule metric_rule(std::string_view name);

/// The name without `(exc)` or `(pty)`, as trees show it. `(inc)` is no suffix: it stays.
std::string_view metric_display_name(std::string_view name);

/// Takes a metric, named as the user did, into those of a node, which go by their shown names:
/// numbers add, vectors add by element, properties replace. Throws std::invalid_argument if the
/// type or the length differs from what is there, which then stays as it was.
void accumulate(const Metric& metric, std::vector<Metric>* shown);

}  // namespace proton_xpu
