#include "softgpu/parking.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace softgpu {
namespace {

TEST(ParkingLot, AsksOnceWithoutTimeToWait) {
  int asked = 0;
  EXPECT_FALSE(ParkingLot::wait(&asked, 0, [&] { return ++asked == 2; }));
  EXPECT_EQ(asked, 1);
  EXPECT_TRUE(ParkingLot::wait(&asked, 0, [&] { return ++asked == 2; }));
}

TEST(ParkingLot, TimesOut) {
  int address = 0;
  EXPECT_FALSE(ParkingLot::wait(&address, 1000, [] { return false; }));
}

TEST(ParkingLot, NoWakeUpIsLost) {
  constexpr int kRounds = 2000;
  constexpr int kWaiters = 4;
  std::atomic<int> round{0};
  std::atomic<int> arrived{0};
  std::vector<std::thread> waiters;
  for (int i = 0; i < kWaiters; ++i) {
    waiters.emplace_back([&] {
      for (int next = 1; next <= kRounds; ++next) {
        ParkingLot::wait(&round, ParkingLot::kForever, [&] { return round.load() >= next; });
        arrived.fetch_add(1);
        ParkingLot::notify(&arrived);
      }
    });
  }
  for (int next = 1; next <= kRounds; ++next) {
    round.store(next);
    ParkingLot::notify(&round);
    ParkingLot::wait(&arrived, ParkingLot::kForever,
                     [&] { return arrived.load() == next * kWaiters; });
  }
  for (auto& waiter : waiters) waiter.join();
  EXPECT_EQ(arrived.load(), kRounds * kWaiters);
}

TEST(ParkingLot, NotifyAllReachesEveryAddress) {
  std::atomic<bool> go{false};
  std::vector<char> addresses(200);
  std::vector<std::thread> waiters;
  std::atomic<int> done{0};
  for (int i = 0; i < 8; ++i) {
    waiters.emplace_back([&, i] {
      ParkingLot::wait(&addresses[static_cast<std::size_t>(i) * 20], ParkingLot::kForever,
                       [&] { return go.load(); });
      done.fetch_add(1);
    });
  }
  go.store(true);
  ParkingLot::notify_all_buckets();
  for (auto& waiter : waiters) waiter.join();
  EXPECT_EQ(done.load(), 8);
}

}  // namespace
}  // namespace softgpu
