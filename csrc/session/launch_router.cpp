#include "session/launch_router.h"

#include <algorithm>
#include <mutex>

#include "session/kernel_name.h"
#include "session/session.h"
#include "session/thread_context.h"

namespace proton_xpu {
namespace {

// Records handled under one lock of a session; scopes are opened in between.
constexpr std::size_t kRecordsPerLock = 256;

// Holds the lock of one session at a time, and keeps it while the session stays the same.
class SessionLock {
 public:
  void hold(const std::shared_ptr<Session>& session) {
    if (session == session_) {
      return;
    }
    if (lock_.owns_lock()) {
      lock_.unlock();
    }
    session_ = session;
    lock_ = std::unique_lock<std::mutex>(session_->mutex());
  }

 private:
  std::shared_ptr<Session> session_;  // Before lock_, so that it outlives the lock.
  std::unique_lock<std::mutex> lock_;
};

bool has_good_times(const Activity& activity) { return activity.end_ns >= activity.start_ns; }

}  // namespace

void LaunchRouter::on_launch(const Launch& launch) noexcept {
  if (core_->is_abandoned.load(std::memory_order_relaxed)) {
    return;
  }
  if (ThreadContext* thread = ThreadContext::current(core_)) {
    thread->launch(launch.correlation_id);
  }
}

NameId LaunchRouter::kernel_name(const char* raw) {
  const std::string_view name = raw == nullptr ? std::string_view("<unknown kernel>") : raw;
  const auto found = kernel_names_.find(name);
  if (found != kernel_names_.end()) {
    return found->second;
  }
  const NameId shown = NameTable::instance().intern(shown_kernel_name(name));
  kernel_names_.emplace(raw_names_.emplace_back(name), shown);
  return shown;
}

void LaunchRouter::on_activities(const Activity* activities, std::size_t count) noexcept {
  if (core_->is_abandoned.load(std::memory_order_relaxed)) {
    return;
  }
  for (std::size_t begin = 0; begin < count; begin += kRecordsPerLock) {
    const std::size_t end = std::min(count, begin + kRecordsPerLock);
    SessionLock lock;
    for (std::size_t i = begin; i < end; ++i) {
      const Activity& activity = activities[i];
      Attribution* attribution = core_->correlations.take(activity.correlation_id);
      if (attribution == nullptr) {
        unattributed_.fetch_add(1, std::memory_order_relaxed);
        continue;
      }
      const NameId kernel =
          activity.kind == ActivityKind::kKernel ? kernel_name(activity.name) : 0;
      for (const Target& target : attribution->targets()) {
        lock.hold(target.session);
        if (has_good_times(activity)) {
          target.session->record(target.node, target.phase, target.is_op, activity, kernel);
        } else {
          target.session->record_loss(LossReason::kBadTimestamp);
        }
      }
      attribution->settle();
    }
  }
}

void LaunchRouter::on_loss(std::uint64_t correlation_id, LossReason reason) noexcept {
  if (core_->is_abandoned.load(std::memory_order_relaxed)) {
    return;
  }
  Attribution* attribution = core_->correlations.take(correlation_id);
  if (attribution == nullptr) {
    return;
  }
  for (const Target& target : attribution->targets()) {
    const std::lock_guard<std::mutex> lock(target.session->mutex());
    target.session->record_loss(reason);
  }
  attribution->settle();
}

void LaunchRouter::forget_launches() {
  core_->correlations.drain([](Attribution* attribution) { attribution->settle(); });
}

}  // namespace proton_xpu
