#include "softgpu/worker.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <string>
#include <thread>
#include <utility>

#include "softgpu/deferred_free.h"
#include "softgpu/log.h"
#include "softgpu/parking.h"
#include "softgpu/script.h"

namespace softgpu {
namespace {

// A queue holds about this many commands; then the submitting thread is slowed down, but never
// stopped: what the queue waits for may come from that same thread.
constexpr std::uint64_t kBacklog = 16384;
constexpr std::uint64_t kThrottleNs = 1'000'000;

struct Registry {
  std::mutex mutex;
  std::vector<std::shared_ptr<Worker>> workers;
};

// Never destroyed: workers may still run when the process's destructors do.
Registry& registry() {
  static Registry* const all = new Registry;
  return *all;
}

std::atomic<bool> cancelled{false};

bool is_executable(CommandKind kind) {
  return kind == CommandKind::kKernel || kind == CommandKind::kCopy || kind == CommandKind::kFill;
}

std::string run_guarded(const Operation& operation, WorkerContext& context) {
  try {
    return operation.run(context);
  } catch (const std::exception& error) {
    return std::string("A command failed: ") + error.what();
  }
}

}  // namespace

WorkerContext::~WorkerContext() {
  // At process exit the OpenCL runtime may be gone already.
  if (cancelled.load()) static_cast<void>(execution_queue_.release());
}

ExecutionQueue* WorkerContext::execution_queue() {
  if (!execution_queue_) execution_queue_ = create_execution_queue();
  return execution_queue_.get();
}

std::shared_ptr<Worker> Worker::create(const DeviceClock& clock) {
  return std::shared_ptr<Worker>(new Worker(clock));
}

void Worker::start_if_needed() {
  if (started_) return;
  started_ = true;
  auto self = shared_from_this();
  {
    const std::lock_guard<std::mutex> lock(registry().mutex);
    registry().workers.push_back(self);
  }
  std::thread([self = std::move(self)] { self->run(); }).detach();
}

std::uint64_t Worker::submit(Command&& command) {
  std::uint64_t number = 0;
  bool wake = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    start_if_needed();
    pending_.push_back(std::move(command));
    number = submitted_.load(std::memory_order_relaxed) + 1;
    submitted_.store(number);
    wake = std::exchange(parked_, false);
  }
  if (wake) wake_.notify_one();
  if (number - completed_.load(std::memory_order_relaxed) > kBacklog) throttle();
  return number;
}

std::uint64_t Worker::submit(std::vector<Command>&& commands) {
  std::uint64_t number = 0;
  bool wake = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    start_if_needed();
    number = submitted_.load(std::memory_order_relaxed) + commands.size();
    submitted_.store(number);
    if (pending_.empty()) {
      pending_ = std::move(commands);
    } else {
      pending_.insert(pending_.end(), std::make_move_iterator(commands.begin()),
                      std::make_move_iterator(commands.end()));
    }
    wake = std::exchange(parked_, false);
  }
  if (wake) wake_.notify_one();
  if (number - completed_.load(std::memory_order_relaxed) > kBacklog) throttle();
  return number;
}

void Worker::throttle() {
  ParkingLot::wait(this, kThrottleNs, [this] {
    return waiting_for_event_.load() || submitted_.load() - completed_.load() <= kBacklog / 2;
  });
}

bool Worker::wait(std::uint64_t completed, std::uint64_t timeout_ns) const {
  return ParkingLot::wait(this, timeout_ns, [&] { return completed_.load() >= completed; });
}

void Worker::close() {
  bool was_started = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    closed_.store(true);
    was_started = started_;
  }
  if (was_started) wake_.notify_one();
}

void Worker::run() {
  {
    WorkerContext context(clock_);
    std::vector<Command> batch;
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      if (pending_.empty() && !closed_.load()) {
        busy_.store(false);
        lock.unlock();
        ParkingLot::notify(&registry());
        lock.lock();
        while (pending_.empty() && !closed_.load()) {
          parked_ = true;
          wake_.wait(lock);
        }
        parked_ = false;
      }
      busy_.store(true);
      if (pending_.empty()) break;
      batch.swap(pending_);
      lock.unlock();
      for (const Command& command : batch) execute(command, context);
      batch.clear();
      lock.lock();
    }
  }
  {
    const std::lock_guard<std::mutex> lock(registry().mutex);
    auto& workers = registry().workers;
    workers.erase(std::remove(workers.begin(), workers.end(), shared_from_this()), workers.end());
  }
  ParkingLot::notify(&registry());
}

void Worker::execute(const Command& command, WorkerContext& context) {
  Script& script = Script::instance();
  std::uint64_t scripted_start = std::max(command.timing.submitted, context.last_end_);
  for (const EventWait& wait : command.waits) {
    if (!wait.over()) {
      waiting_for_event_.store(true);
      ParkingLot::notify(this);
      wait.wait(cancelled);
      waiting_for_event_.store(false);
    }
    scripted_start = std::max(scripted_start, wait.end());
  }

  const bool scripted = command.timing.scripted;
  context.start_ = scripted ? scripted_start + command.timing.delay : clock_.now();
  std::string error;
  if (command.operation != nullptr && !cancelled.load(std::memory_order_relaxed) &&
      (script.execution() || !is_executable(command.kind))) {
    error = run_guarded(*command.operation, context);
  }
  context.last_end_ = scripted ? context.start_ + command.timing.duration : clock_.now();
  script.count(command.kind);

  if (!error.empty()) {
    log(error);
    failed_.store(true, std::memory_order_relaxed);
  }
  if (command.event != nullptr) {
    if (command.kind == CommandKind::kEventReset) {
      command.event->reset_from_device();
    } else if (error.empty()) {
      command.event->signal(context.start_, context.last_end_);
    } else {
      command.event->signal_failed(context.start_, context.last_end_);
    }
  }
  completed_.store(completed_.load(std::memory_order_relaxed) + 1);
  ParkingLot::notify(this);
  DeferredFrees::instance().collect();
}

std::vector<std::shared_ptr<Worker>> Worker::all() {
  const std::lock_guard<std::mutex> lock(registry().mutex);
  return registry().workers;
}

bool Worker::drain(std::uint64_t timeout_ns) {
  return ParkingLot::wait(&registry(), timeout_ns, [] {
    const auto workers = all();
    return std::all_of(workers.begin(), workers.end(),
                       [](const auto& worker) { return worker->quiet(); });
  });
}

bool Worker::drain_unless_stuck(std::uint64_t timeout_ns) {
  const std::uint64_t slice = std::max<std::uint64_t>(timeout_ns / 50, 1);
  std::uint64_t moved = ~std::uint64_t{0};
  for (std::uint64_t waited = 0; waited < timeout_ns; waited += slice) {
    if (drain(slice)) return true;
    std::uint64_t completed = 0;
    bool blocked = true;
    for (const auto& worker : all()) {
      completed += worker->completed();
      blocked = blocked && (worker->quiet() || worker->waiting_for_event_.load());
    }
    if (blocked && completed == moved) return false;
    moved = completed;
  }
  return false;
}

void Worker::cancel() {
  cancelled.store(true);
  ParkingLot::notify_all_buckets();
}

}  // namespace softgpu
