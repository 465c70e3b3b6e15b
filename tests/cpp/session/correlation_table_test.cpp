#include "session/correlation_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>
#include <vector>

namespace proton_xpu {
namespace {

constexpr std::uint64_t kStripes = CorrelationTable::kStripes;

TEST(CorrelationTable, GivesEachLaunchOnce) {
  CorrelationTable table;
  Attribution a({});
  Attribution b({});
  table.put(5, &a, false);
  table.put(5 + kStripes, &b, false);
  EXPECT_EQ(table.take(5), &a);
  EXPECT_EQ(table.take(5), nullptr);
  EXPECT_EQ(table.take(5 + kStripes), &b);
  EXPECT_EQ(table.take(6), nullptr);
}

TEST(CorrelationTable, TakesRecordsInAnyOrder) {
  CorrelationTable table;
  std::vector<std::unique_ptr<Attribution>> attributions;
  std::vector<std::uint64_t> ids;
  for (std::uint64_t id = 0; id < 20000; ++id) {
    attributions.push_back(std::make_unique<Attribution>(std::vector<Target>()));
    table.put(id, attributions.back().get(), false);
    ids.push_back(id);
  }
  std::shuffle(ids.begin(), ids.end(), std::mt19937(1));
  for (const std::uint64_t id : ids) {
    ASSERT_EQ(table.take(id), attributions[id].get());
  }
}

TEST(CorrelationTable, GivesUpAnOlderLaunchWithTheSameId) {
  CorrelationTable table;
  Attribution older({});
  Attribution newer({});
  older.count_launch(false);
  table.put(7, &older, false);
  table.put(7, &newer, false);
  EXPECT_EQ(older.outstanding(), 0u);
  EXPECT_EQ(table.take(7), &newer);
}

TEST(CorrelationTable, GivesUpTheOldestWhenRecordsNeverCome) {
  CorrelationTable table({8, 4});
  Attribution attribution({});
  constexpr std::uint64_t kLaunches = 100 * kStripes;
  for (std::uint64_t id = 0; id < kLaunches; ++id) {
    attribution.count_launch(false);
    table.put(id, &attribution, false);
  }
  const std::uint64_t kept = attribution.outstanding();
  EXPECT_LE(kept, 8 * kStripes);
  std::uint64_t taken = 0;
  for (std::uint64_t id = 0; id < kLaunches; ++id) {
    if (table.take(id) != nullptr) {
      ++taken;
      EXPECT_GE(id, kLaunches - 8 * kStripes);
    }
  }
  EXPECT_EQ(taken, kept);
}

TEST(CorrelationTable, KeepsADeferredLaunchForEachOfItsRuns) {
  CorrelationTable table;
  Attribution attribution({});
  attribution.count_launch(true);
  table.put(5, &attribution, true);
  EXPECT_EQ(attribution.launches(), 0u);
  for (int run = 1; run <= 3; ++run) {
    EXPECT_EQ(table.take(5), &attribution);
    EXPECT_EQ(attribution.launches(), static_cast<std::uint64_t>(run));
    EXPECT_EQ(attribution.outstanding(), 1u);
    attribution.settle();
  }
  attribution.retire();
  EXPECT_FALSE(attribution.is_done());
  table.clear();
  EXPECT_TRUE(attribution.is_done());
  EXPECT_EQ(table.take(5), nullptr);
}

TEST(CorrelationTable, ForgetsOldDeferredLaunchesThatRanOnce) {
  CorrelationTable table({100000, 16});
  Attribution attribution({});
  constexpr std::uint64_t kLaunches = 1000 * kStripes;
  table.put(kStripes, &attribution, true);  // Runs twice, as a graph would.
  table.take(kStripes);
  table.take(kStripes);
  for (std::uint64_t id = 2 * kStripes; id < kLaunches; ++id) {
    table.put(id, &attribution, true);
    table.take(id);
  }
  EXPECT_NE(table.take(kStripes), nullptr);
  EXPECT_EQ(table.take(2 * kStripes), nullptr);
  EXPECT_NE(table.take(kLaunches - 1), nullptr);
}

TEST(CorrelationTable, GivesUpAllWhenCleared) {
  CorrelationTable table;
  Attribution attribution({});
  for (std::uint64_t id = 1; id <= 1000; ++id) {
    attribution.count_launch(false);
    table.put(id, &attribution, false);
  }
  table.clear();
  EXPECT_EQ(attribution.outstanding(), 0u);
  EXPECT_EQ(table.take(1), nullptr);
}

TEST(CorrelationTable, IsSharedByLaunchingThreadsAndTheTracer) {
  constexpr std::uint64_t kPerThread = 5000;
  CorrelationTable table;
  std::vector<std::unique_ptr<Attribution>> attributions;
  std::vector<std::thread> launchers;
  std::atomic<std::uint64_t> next_id{1};
  for (int i = 0; i < 4; ++i) {
    attributions.push_back(std::make_unique<Attribution>(std::vector<Target>()));
  }
  for (const auto& attribution : attributions) {
    launchers.emplace_back([&] {
      for (std::uint64_t n = 0; n < kPerThread; ++n) {
        attribution->count_launch(false);
        table.put(next_id.fetch_add(1), attribution.get(), false);
      }
    });
  }
  for (std::uint64_t id = 1; id <= 4 * kPerThread;) {
    if (Attribution* found = table.take(id)) {
      found->settle();
      ++id;
    } else {
      std::this_thread::yield();
    }
  }
  for (std::thread& launcher : launchers) {
    launcher.join();
  }
  for (const auto& attribution : attributions) {
    EXPECT_EQ(attribution->launches(), kPerThread);
    EXPECT_EQ(attribution->outstanding(), 0u);
  }
}

}  // namespace
}  // namespace proton_xpu
