#include "data/metric.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace proton_xpu {
namespace {

using Integers = std::vector<std::int64_t>;
using Doubles = std::vector<double>;

std::int64_t i64(std::int64_t value) { return value; }

std::string error_of(const Metric& metric, std::vector<Metric>* shown) {
  try {
    accumulate(metric, shown);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Metric, RuleComesFromTheEndOfItsName) {
  EXPECT_EQ(metric_rule("flops"), MetricRule::kSum);
  EXPECT_EQ(metric_rule("t (ns)"), MetricRule::kSum);
  EXPECT_EQ(metric_rule("t (ns)(exc)"), MetricRule::kExclusive);
  EXPECT_EQ(metric_rule("tile (pty)"), MetricRule::kProperty);
  EXPECT_EQ(metric_rule("n (inc)"), MetricRule::kSum);
  EXPECT_EQ(metric_rule("(exc) n"), MetricRule::kSum);
}

TEST(Metric, IsShownWithoutItsRule) {
  EXPECT_EQ(metric_display_name("wait (ns)(exc)"), "wait (ns)");
  EXPECT_EQ(metric_display_name("tile (pty)"), "tile");
  EXPECT_EQ(metric_display_name("  sp ace  (exc)"), "sp ace");
  EXPECT_EQ(metric_display_name("n (inc)"), "n (inc)");
  EXPECT_EQ(metric_display_name("(exc)"), "");
}

TEST(Accumulate, AddsNumbers) {
  std::vector<Metric> shown;
  accumulate({"i", i64(2)}, &shown);
  accumulate({"i", i64(3)}, &shown);
  accumulate({"f", 1.5}, &shown);
  accumulate({"f", 0.25}, &shown);
  ASSERT_EQ(shown.size(), 2u);
  EXPECT_EQ(std::get<std::int64_t>(shown[0].value), 5);
  EXPECT_EQ(std::get<double>(shown[1].value), 1.75);
}

TEST(Accumulate, AddsVectorsByElement) {
  std::vector<Metric> shown;
  accumulate({"v", Integers{1, 2}}, &shown);
  accumulate({"v", Integers{10, 20}}, &shown);
  accumulate({"w", Doubles{1.5}}, &shown);
  accumulate({"w", Doubles{2.0}}, &shown);
  EXPECT_EQ(std::get<Integers>(shown[0].value), Integers({11, 22}));
  EXPECT_EQ(std::get<Doubles>(shown[1].value), Doubles({3.5}));
}

TEST(Accumulate, ReplacesProperties) {
  std::vector<Metric> shown;
  accumulate({"tile (pty)", i64(64)}, &shown);
  accumulate({"tile (pty)", i64(128)}, &shown);
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_EQ(shown[0].name, "tile");
  EXPECT_EQ(std::get<std::int64_t>(shown[0].value), 128);
}

TEST(Accumulate, PutsTogetherWhatIsShownAlike) {
  std::vector<Metric> shown;
  accumulate({"w (ns)(exc)", i64(1)}, &shown);
  accumulate({"w (ns)", i64(7)}, &shown);
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_EQ(std::get<std::int64_t>(shown[0].value), 8);
}

TEST(Accumulate, RefusesAnotherType) {
  std::vector<Metric> shown = {{"x", i64(1)}, {"v", Integers{1}}};
  EXPECT_EQ(error_of({"x (exc)", 1.5}, &shown),
            "[PROTON] Metric value type mismatch for valueId 0 (x): current=int64_t, new=double");
  EXPECT_EQ(error_of({"v", Doubles{1}}, &shown),
            "[PROTON] Metric value type mismatch for valueId 0 (v): "
            "current=std::vector<int64_t>, new=std::vector<double>");
  EXPECT_EQ(std::get<std::int64_t>(shown[0].value), 1);
}

TEST(Accumulate, RefusesAnotherLength) {
  std::vector<Metric> shown = {{"v", Integers{1, 2}}};
  EXPECT_EQ(error_of({"v", Integers{1, 2, 3}}, &shown),
            "[PROTON] Vector metric size mismatch for valueId 0 (v): current=2, new=3");
  EXPECT_EQ(std::get<Integers>(shown[0].value), Integers({1, 2}));
}

TEST(Accumulate, WrapsIntegerSums) {
  std::vector<Metric> shown = {{"x", std::numeric_limits<std::int64_t>::max()}};
  accumulate({"x", i64(1)}, &shown);
  EXPECT_EQ(std::get<std::int64_t>(shown[0].value), std::numeric_limits<std::int64_t>::min());
}

}  // namespace
}  // namespace proton_xpu
