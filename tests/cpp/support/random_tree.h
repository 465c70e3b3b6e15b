// Random trees for tests of writers.
#pragma once

#include <deque>
#include <random>
#include <string>

#include "data/tree_snapshot.h"
#include "support/random_text.h"

namespace proton_xpu {

/// A tree and the texts that its nodes refer to.
struct RandomTree {
  std::deque<std::string> names;
  TreeSnapshot tree;
};

inline MetricValue random_metric_value(std::mt19937_64* random) {
  const auto integer = static_cast<std::int64_t>((*random)());
  const double real = static_cast<double>(integer) / 1024;
  switch ((*random)() % 4) {
    case 0:
      return integer >> (*random)() % 64;
    case 1:
      return real;
    case 2:
      return std::vector<std::int64_t>((*random)() % 20, integer);
    default:
      return std::vector<double>((*random)() % 20, real);
  }
}

inline void make_random_tree(std::mt19937_64* random, RandomTree* made) {
  const std::size_t size = 1 + (*random)() % 40;
  for (std::size_t i = 0; i < size; ++i) {
    SnapshotNode node;
    node.name = made->names.emplace_back(i == 0 ? "ROOT" : random_text(random));
    if (i != 0 && (*random)() % 2 == 0) {
      node.row.count = 1 + (*random)() % 1000000;
      node.row.time_ns = (*random)();
      node.row.device = static_cast<std::uint32_t>((*random)() % 3);
      made->tree.has_kernels = true;
    }
    for (std::uint64_t m = (*random)() % 3; m > 0; --m) {
      node.metrics.push_back({"m" + std::to_string(9 - m), random_metric_value(random)});
    }
    if (i != 0) {
      made->tree.nodes[(*random)() % i].children.push_back(static_cast<std::uint32_t>(i));
    }
    made->tree.nodes.push_back(node);
  }
  if (made->tree.has_kernels) {
    made->tree.devices = {0, 1, 2};
  }
}

}  // namespace proton_xpu
