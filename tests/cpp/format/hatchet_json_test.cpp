#include "format/hatchet_json.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "format/json_text.h"
#include "support/random_tree.h"

namespace proton_xpu {
namespace {

DeviceFacts facts(std::uint32_t device) {
  return {{"arch", std::string("pvc")}, {"num_sms", std::uint64_t{64} + device}};
}

SnapshotNode named(std::string_view name) {
  SnapshotNode node;
  node.name = name;
  return node;
}

TreeSnapshot example() {
  TreeSnapshot tree;
  tree.nodes = {named("ROOT"), named("scope"), named("k")};
  tree.nodes[0].children = {1};
  tree.nodes[1].children = {2};
  tree.nodes[1].metrics = {{"flops16", 6e9}, {"v", std::vector<std::int64_t>{1, 2}}};
  tree.nodes[2].row = {10, 3, 91000, 1};
  tree.has_kernels = true;
  tree.devices = {1};
  return tree;
}

TEST(HatchetJson, IsARootWithoutMetricsAndNoDevicesWhenEmpty) {
  TreeSnapshot tree;
  tree.nodes = {named("ROOT")};
  EXPECT_EQ(hatchet_json(tree, facts, nullptr, JsonLayout::kIndented),
            "\n[\n    {\n        \"children\": [],\n        \"frame\": {\n"
            "            \"name\": \"ROOT\",\n            \"type\": \"function\"\n        },\n"
            "        \"metrics\": {}\n    },\n    {}\n]\n");
}

TEST(HatchetJson, HasKeysInAlphabeticalOrder) {
  EXPECT_EQ(
      hatchet_json(example(), facts, nullptr, JsonLayout::kCompact),
      R"json([{"children":[{"children":[{"children":[],"frame":{"name":"k","type":"function"},)json"
      R"json("metrics":{"count":3,"device_id":"1","device_type":"XPU","time (ns)":91000}}],)json"
      R"json("frame":{"name":"scope","type":"function"},"metrics":{"flops16":6e+09,"v":[1,2]}}],)json"
      R"json("frame":{"name":"ROOT","type":"function"},"metrics":{"count":0,"time (ns)":0}},)json"
      R"json({"XPU":{"1":{"arch":"pvc","num_sms":65}}}])json");
}

TEST(HatchetJson, HasTheMetadataInTheRootOnly) {
  ProfileMetadata metadata;
  metadata.accounting.launches = 3;
  const nlohmann::json read =
      nlohmann::json::parse(hatchet_json(example(), facts, &metadata, JsonLayout::kIndented));
  EXPECT_EQ(read[0]["proton_xpu"]["accounting"]["launches"], 3);
  EXPECT_FALSE(read[0]["children"][0].contains("proton_xpu"));
  EXPECT_EQ(read.size(), 2u);
}

TEST(HatchetJson, KeepsTheKernelsOwnMetricsFromUsers) {
  TreeSnapshot tree = example();
  tree.nodes[2].metrics = {{"count", std::int64_t{77}}, {"x", std::int64_t{1}}};
  const nlohmann::json read =
      nlohmann::json::parse(hatchet_json(tree, facts, nullptr, JsonLayout::kCompact));
  const nlohmann::json& metrics = read[0]["children"][0]["children"][0]["metrics"];
  EXPECT_EQ(metrics["count"], 3);
  EXPECT_EQ(metrics["x"], 1);
}

TEST(HatchetJson, HasNullForNotANumber) {
  TreeSnapshot tree = example();
  tree.nodes[1].metrics = {{"x", std::numeric_limits<double>::quiet_NaN()}};
  const nlohmann::json read =
      nlohmann::json::parse(hatchet_json(tree, facts, nullptr, JsonLayout::kCompact));
  EXPECT_TRUE(read[0]["children"][0]["metrics"]["x"].is_null());
}

void expect_node(const nlohmann::json& read, const TreeSnapshot& tree, std::uint32_t index) {
  const SnapshotNode& node = tree.nodes[index];
  EXPECT_EQ(read["frame"]["name"].get<std::string>(), valid_utf8(node.name));
  if (node.row.count != 0) {
    EXPECT_EQ(read["metrics"]["count"].get<std::uint64_t>(), node.row.count);
    EXPECT_EQ(read["metrics"]["time (ns)"].get<std::uint64_t>(), node.row.time_ns);
  }
  for (const Metric& metric : node.metrics) {
    std::visit(
        [&](const auto& value) {
          EXPECT_EQ(read["metrics"][metric.name].get<std::decay_t<decltype(value)>>(), value);
        },
        metric.value);
  }
  ASSERT_EQ(read["children"].size(), node.children.size());
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    expect_node(read["children"][i], tree, node.children[i]);
  }
}

TEST(HatchetJson, ReadsBackAsItWas) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100; ++i) {
    RandomTree made;
    make_random_tree(&random, &made);
    for (const JsonLayout layout : {JsonLayout::kIndented, JsonLayout::kCompact}) {
      const nlohmann::json read =
          nlohmann::json::parse(hatchet_json(made.tree, facts, nullptr, layout));
      expect_node(read[0], made.tree, 0);
    }
  }
}

}  // namespace
}  // namespace proton_xpu
