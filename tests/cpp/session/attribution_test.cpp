#include "session/attribution.h"

#include <gtest/gtest.h>

#include <memory>

#include "session/session.h"

namespace proton_xpu {
namespace {

std::shared_ptr<Session> make_session(int id) {
  SessionSettings settings;
  settings.id = id;
  settings.name = "-";
  return std::make_shared<Session>(std::move(settings));
}

std::vector<Target> one_target(const std::shared_ptr<Session>& session, Phase phase = 0) {
  return {{session, {ContextTree::kRoot, phase, nullptr}, false}};
}

TEST(Attribution, IsDoneOnceRetiredAndSettled) {
  Attribution attribution({});
  attribution.count_launch(false);
  attribution.count_launch(false);
  attribution.settle();
  EXPECT_EQ(attribution.launches(), 2u);
  EXPECT_EQ(attribution.outstanding(), 1u);
  attribution.retire();
  EXPECT_FALSE(attribution.is_done());
  attribution.settle();
  EXPECT_TRUE(attribution.is_done());
}

TEST(Attribution, IsNotDoneWhileADeferredLaunchMayRunAgain) {
  Attribution attribution({});
  attribution.count_launch(true);
  attribution.retire();
  attribution.count_run();
  attribution.settle();
  EXPECT_EQ(attribution.launches(), 1u);
  EXPECT_FALSE(attribution.is_done());
  attribution.forget_deferred();
  EXPECT_TRUE(attribution.is_done());
}

TEST(AttributionPool, CountsBySessionAndPhase) {
  AttributionPool pool;
  const auto a = make_session(0);
  const auto b = make_session(1);
  Attribution* in_a = pool.make(one_target(a));
  Attribution* in_both = pool.make({{a, {1, 2, nullptr}, false}, {b, {1, 0, nullptr}, false}});
  in_a->count_launch(false);
  in_both->count_launch(false);
  in_both->count_launch(false);
  in_both->settle();
  EXPECT_EQ(pool.launches(*a), 3u);
  EXPECT_EQ(pool.launches(*b), 2u);
  EXPECT_EQ(pool.outstanding(*a, 0), 1u);
  EXPECT_EQ(pool.outstanding(*a, 2), 1u);
  EXPECT_EQ(pool.outstanding(*b, 0), 1u);
  EXPECT_EQ(pool.outstanding(*b, 1), 0u);
}

TEST(AttributionPool, KeepsTheLaunchesOfWhatItDrops) {
  AttributionPool pool;
  const auto session = make_session(0);
  for (int i = 0; i < 10000; ++i) {
    Attribution* attribution = pool.make(one_target(session));
    attribution->count_launch(false);
    attribution->settle();
    attribution->retire();
  }
  EXPECT_EQ(pool.launches(*session), 10000u);
  EXPECT_GT(session->past_launches(), 5000u);
}

}  // namespace
}  // namespace proton_xpu
