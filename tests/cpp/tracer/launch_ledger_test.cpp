#include "tracer/pti/launch_ledger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

namespace proton_xpu {
namespace {

using Claim = LaunchLedger::Claim;

std::size_t count_pending(const LaunchLedger& ledger) {
  return ledger.count_remaining(ledger.pending());
}

TEST(LaunchLedger, ClaimsALaunchOnce) {
  LaunchLedger ledger;
  ledger.add(7, false);
  EXPECT_EQ(count_pending(ledger), 1U);
  EXPECT_EQ(ledger.claim(7), Claim::kPending);
  EXPECT_EQ(ledger.claim(7), Claim::kUnknown);
  EXPECT_EQ(ledger.claim(8), Claim::kUnknown);
  EXPECT_EQ(count_pending(ledger), 0U);
}

TEST(LaunchLedger, KnowsADeferredLaunchForGood) {
  LaunchLedger ledger;
  EXPECT_FALSE(ledger.has_deferred());
  ledger.add(7, true);
  EXPECT_TRUE(ledger.has_deferred());
  EXPECT_EQ(ledger.claim(7), Claim::kDeferred);
  EXPECT_EQ(ledger.claim(7), Claim::kDeferred);
  EXPECT_EQ(count_pending(ledger), 0U);
  ledger.clear();
  EXPECT_FALSE(ledger.has_deferred());
  EXPECT_EQ(ledger.claim(7), Claim::kUnknown);
}

TEST(LaunchLedger, GivesUpOnlyWhatStillWaits) {
  LaunchLedger ledger;
  for (std::uint64_t id = 1; id <= 10'000; ++id) ledger.add(id, false);
  const LaunchLedger::PendingBlocks blocks = ledger.pending();
  EXPECT_EQ(ledger.count_remaining(blocks), 10'000U);
  ledger.add(10'001, false);
  for (std::uint64_t id = 3; id <= 10'000; ++id) EXPECT_EQ(ledger.claim(id), Claim::kPending);
  EXPECT_EQ(ledger.count_remaining(blocks), 2U);
  std::vector<std::uint64_t> lost = ledger.give_up(blocks);
  std::sort(lost.begin(), lost.end());
  EXPECT_EQ(lost, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(ledger.claim(1), Claim::kUnknown);
  EXPECT_EQ(ledger.claim(10'001), Claim::kPending);
}

TEST(LaunchLedger, AgreesWithAMapUnderRandomUse) {
  std::mt19937_64 random(1);
  LaunchLedger ledger;
  std::map<std::uint64_t, bool> model;  // id -> deferred
  // Few bits high up and few low down, so that blocks collide in the tables and empty again.
  const auto draw_id = [&] {
    return (random() % 40) << 37 | (random() % 40) << 12 | random() % 70;
  };
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t id = draw_id();
    const auto known = model.find(id);
    if (random() % 2 == 0) {
      if (known != model.end()) continue;
      const bool deferred = random() % 50 == 0;
      ledger.add(id, deferred);
      model.emplace(id, deferred);
    } else if (known == model.end()) {
      ASSERT_EQ(ledger.claim(id), Claim::kUnknown);
    } else if (known->second) {
      ASSERT_EQ(ledger.claim(id), Claim::kDeferred);
    } else {
      ASSERT_EQ(ledger.claim(id), Claim::kPending);
      model.erase(known);
    }
  }
  std::vector<std::uint64_t> expected;
  for (const auto& [id, deferred] : model) {
    if (!deferred) expected.push_back(id);
  }
  std::vector<std::uint64_t> waiting = ledger.give_up(ledger.pending());
  std::sort(waiting.begin(), waiting.end());
  EXPECT_EQ(waiting, expected);
}

TEST(LaunchLedger, ThreadsAddWhileOneClaims) {
  constexpr std::uint64_t kThreads = 4;
  constexpr std::uint64_t kLaunches = 20'000;
  LaunchLedger ledger;
  std::vector<std::thread> launchers;
  for (std::uint64_t thread = 0; thread < kThreads; ++thread) {
    launchers.emplace_back([&ledger, thread] {
      for (std::uint64_t i = 0; i < kLaunches; ++i) ledger.add(1 + thread + i * kThreads, false);
    });
  }
  std::uint64_t claimed = 0;
  std::vector<std::uint64_t> ids(kThreads * kLaunches);
  std::iota(ids.begin(), ids.end(), 1);
  while (claimed < kThreads * kLaunches) {
    ids.erase(std::remove_if(ids.begin(), ids.end(),
                             [&](std::uint64_t id) { return ledger.claim(id) == Claim::kPending; }),
              ids.end());
    claimed = kThreads * kLaunches - ids.size();
    std::this_thread::yield();
  }
  for (std::thread& launcher : launchers) launcher.join();
  EXPECT_EQ(count_pending(ledger), 0U);
  EXPECT_EQ(ledger.dropped(), 0U);
}

}  // namespace
}  // namespace proton_xpu
