#include "format/hatchet_msgpack.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "format/hatchet_json.h"
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

// What is left of a tree of JSON when leaves without metrics are dropped, once.
nlohmann::json pruned(const nlohmann::json& node) {
  nlohmann::json kept = node;
  kept["children"] = nlohmann::json::array();
  for (const nlohmann::json& child : node["children"]) {
    if (!child["children"].empty() || !child["metrics"].empty()) {
      kept["children"].push_back(pruned(child));
    }
  }
  return kept;
}

TEST(HatchetMsgpack, SaysWhatTheJsonSays) {
  std::mt19937_64 random(5);
  ProfileMetadata metadata;
  metadata.accounting.launches = 70000;
  metadata.tracer = {"xpupti", "lib", "1", {"note"}};
  for (int i = 0; i < 100; ++i) {
    RandomTree made;
    make_random_tree(&random, &made);
    nlohmann::json expected =
        nlohmann::json::parse(hatchet_json(made.tree, facts, &metadata, JsonLayout::kCompact));
    expected[0] = pruned(expected[0]);
    const std::string packed = hatchet_msgpack(made.tree, facts, &metadata);
    EXPECT_EQ(nlohmann::json::from_msgpack(packed), expected);
  }
}

TEST(HatchetMsgpack, KeepsANodeThatPruningMadeChildless) {
  TreeSnapshot tree;
  tree.nodes = {named("ROOT"), named("empty"), named("leaf"), named("leaf2")};
  tree.nodes[0].children = {1, 3};
  tree.nodes[1].children = {2};
  const nlohmann::json read = nlohmann::json::from_msgpack(hatchet_msgpack(tree, facts, nullptr));
  ASSERT_EQ(read[0]["children"].size(), 1u);
  EXPECT_EQ(read[0]["children"][0]["frame"]["name"], "empty");
  EXPECT_TRUE(read[0]["children"][0]["children"].empty());
}

TEST(HatchetMsgpack, HasItsKeysInProtonsOrder) {
  TreeSnapshot tree;
  tree.nodes = {named("ROOT"), named("k")};
  tree.nodes[0].children = {1};
  tree.nodes[1].row = {1, 2, 1000, 0};
  tree.has_kernels = true;
  const std::string packed = hatchet_msgpack(tree, facts, nullptr);
  const std::string root =
      "\x92\x83\xA5"
      "frame\x82\xA4"
      "name\xA4ROOT\xA4type\xA8"
      "function\xA7metrics\x82\xA9"
      "time (ns)";
  EXPECT_EQ(packed.substr(0, root.size()), root);
  EXPECT_LT(packed.rfind("time (ns)"), packed.rfind("count"));
  EXPECT_LT(packed.rfind("count"), packed.rfind("device_id"));
  EXPECT_LT(packed.rfind("device_id"), packed.rfind("device_type"));
}

}  // namespace
}  // namespace proton_xpu
