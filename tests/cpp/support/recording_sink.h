// A sink that keeps everything it is told, for tests of tracers.
#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tracer/tracer.h"

namespace proton_xpu::testing {

/// An activity with its name copied.
struct RecordedActivity : Activity {
  std::string text;

  std::uint64_t duration_ns() const { return end_ns - start_ns; }
};

class RecordingSink : public Sink {
 public:
  void on_launch(const Launch& launch) noexcept override {
    const std::lock_guard<std::mutex> lock(mutex_);
    launches_.push_back(launch);
  }

  void on_activities(const Activity* activities, std::size_t count) noexcept override {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (std::size_t i = 0; i < count; ++i) {
      RecordedActivity recorded{activities[i], activities[i].name};
      recorded.name = nullptr;
      activities_.push_back(recorded);
    }
  }

  void on_loss(std::uint64_t correlation_id, LossReason reason) noexcept override {
    const std::lock_guard<std::mutex> lock(mutex_);
    losses_.emplace(correlation_id, reason);
  }

  std::vector<Launch> launches() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return launches_;
  }

  /// In order of start.
  std::vector<RecordedActivity> activities() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<RecordedActivity> sorted = activities_;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.start_ns < b.start_ns; });
    return sorted;
  }

  std::map<std::uint64_t, LossReason> losses() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return losses_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Launch> launches_;
  std::vector<RecordedActivity> activities_;
  std::map<std::uint64_t, LossReason> losses_;
};

}  // namespace proton_xpu::testing
