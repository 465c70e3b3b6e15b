#include "data/metric.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "context/errors.h"

namespace proton_xpu {
namespace {

constexpr std::string_view kExclusiveSuffix = "(exc)";
constexpr std::string_view kPropertySuffix = "(pty)";

bool ends_with(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

const char* type_name(const MetricValue& value) {
  static constexpr const char* kNames[] = {"int64_t", "double", "std::vector<int64_t>",
                                           "std::vector<double>"};
  return kNames[value.index()];
}

std::string metric_label(std::string_view name) {
  return "for valueId 0 (" + std::string(name) + "): current=";
}

// Sums of integers wrap: a profile must not end the program.
void add_to(std::string_view, std::int64_t value, std::int64_t* total) {
  *total = static_cast<std::int64_t>(static_cast<std::uint64_t>(*total) +
                                     static_cast<std::uint64_t>(value));
}
void add_to(std::string_view, double value, double* total) { *total += value; }

template <typename Element>
void add_to(std::string_view name, const std::vector<Element>& value, std::vector<Element>* total) {
  if (value.size() != total->size()) {
    throw_invalid_argument("Vector metric size mismatch " + metric_label(name) +
                           std::to_string(total->size()) + ", new=" + std::to_string(value.size()));
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    add_to(name, value[i], &(*total)[i]);
  }
}

}  // namespace

MetricRule metric_rule(std::string_view name) {
  if (ends_with(name, kExclusiveSuffix)) {
    return MetricRule::kExclusive;
  }
  return ends_with(name, kPropertySuffix) ? MetricRule::kProperty : MetricRule::kSum;
}

std::string_view metric_display_name(std::string_view name) {
  if (metric_rule(name) == MetricRule::kSum) {
    return name;
  }
  return trimmed(name.substr(0, name.size() - kExclusiveSuffix.size()));
}

void accumulate(const Metric& metric, std::vector<Metric>* shown) {
  const std::string_view name = metric_display_name(metric.name);
  const auto held = std::find_if(shown->begin(), shown->end(),
                                 [name](const Metric& other) { return other.name == name; });
  if (held == shown->end()) {
    shown->push_back({std::string(name), metric.value});
    return;
  }
  MetricValue& total = held->value;
  if (metric.value.index() != total.index()) {
    throw_invalid_argument("Metric value type mismatch " + metric_label(name) + type_name(total) +
                           ", new=" + type_name(metric.value));
  }
  if (metric_rule(metric.name) == MetricRule::kProperty) {
    total = metric.value;
    return;
  }
  std::visit(
      [&](auto& sum) { add_to(name, std::get<std::decay_t<decltype(sum)>>(metric.value), &sum); },
      total);
}

}  // namespace proton_xpu
