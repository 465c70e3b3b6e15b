// The thread behind a command queue or an immediate command list: runs commands in order.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "softgpu/clock.h"
#include "softgpu/command.h"
#include "softgpu/program.h"

namespace softgpu {

/// What an operation may use while it runs.
class WorkerContext {
 public:
  explicit WorkerContext(const DeviceClock& clock) : clock_(clock) {}
  ~WorkerContext();
  WorkerContext(const WorkerContext&) = delete;
  WorkerContext& operator=(const WorkerContext&) = delete;

  const DeviceClock& clock() const { return clock_; }

  /// When the running command started, in device ticks.
  std::uint64_t start() const { return start_; }

  /// Where this worker's kernels run; null if the OpenCL runtime cannot be used.
  ExecutionQueue* execution_queue();

 private:
  friend class Worker;
  const DeviceClock& clock_;
  std::uint64_t start_ = 0;
  std::uint64_t last_end_ = 0;
  std::unique_ptr<ExecutionQueue> execution_queue_;
};

class Worker : public std::enable_shared_from_this<Worker> {
 public:
  /// The thread starts with the first command. `clock` must live for ever.
  static std::shared_ptr<Worker> create(const DeviceClock& clock);

  const DeviceClock& clock() const { return clock_; }

  /// Queues commands; returns the number of the last one, counted from 1.
  std::uint64_t submit(Command&& command);
  std::uint64_t submit(std::vector<Command>&& commands);

  std::uint64_t submitted() const { return submitted_.load(); }
  std::uint64_t completed() const { return completed_.load(); }

  /// Waits until so many commands are completed; false after `timeout_ns`.
  bool wait(std::uint64_t completed, std::uint64_t timeout_ns) const;

  /// True if a command has failed.
  bool failed() const { return failed_.load(std::memory_order_relaxed); }

  /// The thread ends, by itself, when all that is queued has run. Nothing may be submitted after.
  void close();

  /// All workers that have been started and have not ended.
  static std::vector<std::shared_ptr<Worker>> all();

  /// Waits until no worker has anything to do; false after `timeout_ns`.
  static bool drain(std::uint64_t timeout_ns);

  /// Like drain, but gives up early if all that is left waits for events and nothing moves.
  static bool drain_unless_stuck(std::uint64_t timeout_ns);

  /// From now on commands are neither waited for nor executed, only ordered and signalled.
  static void cancel();

 private:
  explicit Worker(const DeviceClock& clock) : clock_(clock) {}

  void start_if_needed();
  void throttle();
  void run();
  void execute(const Command& command, WorkerContext& context);
  // A closed worker is quiet only when it has left the registry.
  bool quiet() const {
    return !busy_.load() && !closed_.load() && submitted_.load() == completed_.load();
  }

  const DeviceClock& clock_;
  std::atomic<std::uint64_t> submitted_{0};
  std::atomic<std::uint64_t> completed_{0};
  std::atomic<bool> busy_{false};
  std::atomic<bool> waiting_for_event_{false};
  std::atomic<bool> failed_{false};
  std::atomic<bool> closed_{false};

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Command> pending_;
  bool started_ = false;
  bool parked_ = false;
};

}  // namespace softgpu
