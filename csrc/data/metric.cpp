#include "data/metric.h"

#include <cstddef>

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
void add(std::int64_t value, std::int64_t* total) {
  *total = static_cast<std::int64_t>(static_cast<std::uint64_t>(*total) +
                                     static_cast<std::uint64_t>(value));
}
void add(double value, double* total) { *total += value; }

template <typename Element>
void add(const std::vector<Element>& value, std::vector<Element>* total) {
  for (std::size_t i = 0; i < value.size(); ++i) {
    add(value[i], &(*total)[i]);
  }
}

template <typename Element>
std::size_t length(const std::vector<Element>& value) {
  return value.size();
}
std::size_t length(std::int64_t) { return 1; }
std::size_t length(double) { return 1; }

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

void accumulate(std::string_view name, const MetricValue& value, MetricValue* total) {
  if (value.index() != total->index()) {
    throw_invalid_argument("Metric value type mismatch " + metric_label(name) + type_name(*total) +
                           ", new=" + type_name(value));
  }
  const auto length_of = [](const auto& held) { return length(held); };
  const std::size_t old_length = std::visit(length_of, *total);
  const std::size_t new_length = std::visit(length_of, value);
  if (old_length != new_length) {
    throw_invalid_argument("Vector metric size mismatch " + metric_label(name) +
                           std::to_string(old_length) + ", new=" + std::to_string(new_length));
  }
  if (metric_rule(name) == MetricRule::kProperty) {
    *total = value;
    return;
  }
  std::visit(
      [&value](auto& sum) {
        add(std::get<std::decay_t<decltype(sum)>>(value), &sum);
      },
      *total);
}

}  // namespace proton_xpu
