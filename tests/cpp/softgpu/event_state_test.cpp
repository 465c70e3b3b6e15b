#include "softgpu/event_state.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "softgpu/parking.h"

namespace softgpu {
namespace {

class EventStateTest : public ::testing::Test {
 protected:
  std::shared_ptr<EventState> state_ = std::make_shared<EventState>();
};

TEST_F(EventStateTest, SignalStoresTheStamps) {
  EXPECT_FALSE(state_->signalled());
  EXPECT_FALSE(state_->wait(0));
  state_->signal(10, 25);
  EXPECT_TRUE(state_->signalled());
  EXPECT_TRUE(state_->wait(0));
  EXPECT_EQ(state_->start(), 10U);
  EXPECT_EQ(state_->end(), 25U);
  EXPECT_FALSE(state_->failed());
}

TEST_F(EventStateTest, HostWaitEndsWithTheSignal) {
  std::thread signaller([this] { state_->signal(1, 2); });
  EXPECT_TRUE(state_->wait(ParkingLot::kForever));
  signaller.join();
}

TEST_F(EventStateTest, HostWaitTimesOut) { EXPECT_FALSE(state_->wait(1)); }

TEST_F(EventStateTest, WaitQueuedBeforeTheSignalIsOverEvenAfterAReset) {
  const EventWait wait(state_);
  EXPECT_FALSE(wait.over());
  state_->signal(1, 2);
  state_->reset_from_host();
  EXPECT_TRUE(wait.over());
  EXPECT_EQ(wait.end(), 2U);
}

TEST_F(EventStateTest, WaitQueuedWhileSignalledIsOverEvenAfterAReset) {
  state_->signal(1, 2);
  const EventWait wait(state_);
  state_->reset_from_host();
  state_->signal(7, 9);
  EXPECT_TRUE(wait.over());
  EXPECT_EQ(wait.end(), 2U);
}

TEST_F(EventStateTest, WaitQueuedAfterAResetNeedsANewSignal) {
  state_->signal(1, 2);
  state_->reset_from_host();
  const EventWait wait(state_);
  EXPECT_FALSE(wait.over());
  state_->signal(3, 4);
  EXPECT_TRUE(wait.over());
  EXPECT_EQ(wait.end(), 4U);
}

TEST_F(EventStateTest, WaitBehindAnAnnouncedResetNeedsASignalAfterIt) {
  state_->signal(1, 2);
  state_->announce_device_reset();
  const EventWait wait(state_);
  state_->reset_from_device();
  EXPECT_FALSE(wait.over());
  state_->signal(3, 4);
  EXPECT_TRUE(wait.over());
}

TEST_F(EventStateTest, SignalThatADeviceResetTookBackDoesNotEndAWait) {
  const EventWait wait(state_);
  state_->announce_device_reset();
  state_->signal(1, 2);
  state_->reset_from_device();
  EXPECT_FALSE(wait.over());
}

TEST_F(EventStateTest, WaitCanBeCancelled) {
  const EventWait wait(state_);
  const std::atomic<bool> cancelled{true};
  wait.wait(cancelled);
  EXPECT_FALSE(wait.over());
}

TEST_F(EventStateTest, FailureIsASignalToo) {
  const EventWait wait(state_);
  state_->signal_failed(1, 2);
  EXPECT_TRUE(wait.over());
  EXPECT_TRUE(state_->failed());
}

}  // namespace
}  // namespace softgpu
