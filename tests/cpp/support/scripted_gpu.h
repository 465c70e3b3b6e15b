// A GPU without hardware or driver for tests of the session core: the test says what is launched
// and what becomes of it, and a tracer tells the session core.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "context/host_clock.h"
#include "tracer/tracer.h"

namespace proton_xpu {

/// Thread-safe. Launches are reported at once, their records when the tracer is flushed or when
/// deliver() is called, in the order of the launches.
class ScriptedGpu {
 public:
  /// The tracer of this GPU; the GPU outlives it.
  std::unique_ptr<Tracer> make_tracer();

  /// Launches a kernel on the calling thread that runs for `duration_ns`.
  std::uint64_t launch(const std::string& name, std::uint64_t duration_ns = 1000) {
    Activity activity{};
    activity.kind = ActivityKind::kKernel;
    return launch(activity, name, duration_ns);
  }

  /// Launches an activity; its times and its correlation id are filled in.
  std::uint64_t launch(Activity activity, const std::string& name, std::uint64_t duration_ns) {
    const std::shared_lock<std::shared_mutex> launching(launch_mutex_);
    Sink* sink = nullptr;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      activity.correlation_id = ++last_id_;
      sink = sink_;
    }
    if (sink == nullptr) {
      return 0;
    }
    sink->on_launch({activity.correlation_id, activity.kind, false});
    set_times(&activity, duration_ns);
    const std::lock_guard<std::mutex> lock(mutex_);
    pending_.push_back({activity, name});
    return activity.correlation_id;
  }

  /// Appends a kernel to a regular command list, which run() executes.
  std::uint64_t append() {
    const std::shared_lock<std::shared_mutex> launching(launch_mutex_);
    const std::lock_guard<std::mutex> lock(mutex_);
    sink_->on_launch({++last_id_, ActivityKind::kKernel, true});
    return last_id_;
  }

  /// Executes what was appended once.
  void run(std::uint64_t appended, const std::string& name, std::uint64_t duration_ns = 1000) {
    Activity activity{};
    activity.kind = ActivityKind::kKernel;
    activity.correlation_id = appended;
    set_times(&activity, duration_ns);
    const std::lock_guard<std::mutex> lock(mutex_);
    pending_.push_back({activity, name});
  }

  /// Takes back the record of the last launch: it never comes.
  void swallow_last_record() {
    const std::lock_guard<std::mutex> lock(mutex_);
    pending_.pop_back();
  }

  /// Tells a loss in place of the last launch's record.
  void lose_last_record(LossReason reason) {
    std::uint64_t id = 0;
    Sink* sink = nullptr;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      id = pending_.back().activity.correlation_id;
      pending_.pop_back();
      sink = sink_;
    }
    const std::lock_guard<std::mutex> lock(deliver_mutex_);
    sink->on_loss(id, reason);
  }

  /// Delivers the records of all launches so far.
  void deliver() {
    const std::lock_guard<std::mutex> lock(deliver_mutex_);
    std::vector<Record> records;
    Sink* sink = nullptr;
    {
      // Launches that have been reported are waited for, as a tracer does.
      const std::unique_lock<std::shared_mutex> launched(launch_mutex_);
      const std::lock_guard<std::mutex> inner(mutex_);
      records.swap(pending_);
      sink = sink_;
    }
    if (sink == nullptr || records.empty()) {
      return;
    }
    std::vector<Activity> activities;
    for (Record& record : records) {
      record.activity.name = record.name.c_str();
      activities.push_back(record.activity);
    }
    sink->on_activities(activities.data(), activities.size());
  }

  /// The next start of the tracer fails with this sentence.
  void fail_start(std::string sentence) { start_error_ = std::move(sentence); }

  bool is_traced() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return sink_ != nullptr;
  }
  int starts() const { return starts_; }
  int flushes() const { return flushes_; }

 private:
  class ScriptedTracer;
  struct Record {
    Activity activity;
    std::string name;
  };

  static void set_times(Activity* activity, std::uint64_t duration_ns) {
    activity->append_ns = host_now_ns();
    activity->start_ns = activity->append_ns + 500;
    activity->end_ns = activity->start_ns + duration_ns;
  }

  mutable std::mutex mutex_;
  std::shared_mutex launch_mutex_;  // Shared by launches that are being reported.
  std::mutex deliver_mutex_;        // Records are never delivered on two threads at once.
  Sink* sink_ = nullptr;
  std::uint64_t last_id_ = 0;
  std::vector<Record> pending_;
  std::string start_error_;
  int starts_ = 0;
  int flushes_ = 0;
};

class ScriptedGpu::ScriptedTracer final : public Tracer {
 public:
  explicit ScriptedTracer(ScriptedGpu* gpu) : gpu_(*gpu) {}

  void start(Sink& sink) override {
    if (!gpu_.start_error_.empty()) {
      throw std::runtime_error(std::exchange(gpu_.start_error_, std::string()));
    }
    const std::unique_lock<std::shared_mutex> launched(gpu_.launch_mutex_);
    const std::lock_guard<std::mutex> lock(gpu_.mutex_);
    gpu_.sink_ = &sink;
    gpu_.last_id_ = 0;
    ++gpu_.starts_;
  }

  bool flush(std::chrono::milliseconds) override {
    ++gpu_.flushes_;
    gpu_.deliver();
    return true;
  }

  void stop() noexcept override {
    gpu_.deliver();
    const std::unique_lock<std::shared_mutex> launched(gpu_.launch_mutex_);
    const std::lock_guard<std::mutex> lock(gpu_.mutex_);
    gpu_.sink_ = nullptr;
    gpu_.pending_.clear();
  }

  TracerInfo info() const override { return {"xpupti", "scripted", "1", {}}; }

 private:
  ScriptedGpu& gpu_;
};

inline std::unique_ptr<Tracer> ScriptedGpu::make_tracer() {
  return std::make_unique<ScriptedTracer>(this);
}

}  // namespace proton_xpu
