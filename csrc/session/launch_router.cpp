#include "session/launch_router.h"

#include <algorithm>
#include <mutex>
#include <set>

#include "session/kernel_name.h"
#include "session/session.h"
#include "session/thread_context.h"

namespace proton_xpu {
namespace {

using SessionSet = std::set<std::shared_ptr<Session>>;

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
    thread->launch(launch);
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
  SessionSet periodic;
  for (std::size_t begin = 0; begin < count; begin += kRecordsPerLock) {
    const std::size_t end = std::min(count, begin + kRecordsPerLock);
    SessionLock lock;
    for (std::size_t i = begin; i < end; ++i) {
      const Activity& activity = activities[i];
      Attribution* attribution = core_->correlations.take(activity.correlation_id);
      if (attribution == nullptr) {
        continue;  // No session was active at its launch.
      }
      const NameId kernel = activity.kind == ActivityKind::kKernel ? kernel_name(activity.name) : 0;
      for (const Target& target : attribution->targets()) {
        lock.hold(target.session);
        if (target.session->mode().periodic_flushing) {
          periodic.insert(target.session);
        }
        if (has_good_times(activity)) {
          target.session->record(target.placement, target.is_op, activity, kernel);
        } else {
          target.session->record_loss(LossReason::kBadTimestamp);
        }
      }
      attribution->settle();
    }
  }
  for (const auto& session : periodic) {
    write_complete_phases(session.get());
  }
}

// A phase is complete once a later one has begun and none of its launches is under way.
void LaunchRouter::write_complete_phases(Session* session) {
  for (const Phase phase : session->earlier_phases()) {
    if (core_->attributions.outstanding(*session, phase) == 0) {
      session->write_phase(phase, accounting(*session));
    }
  }
}

Accounting LaunchRouter::accounting(const Session& session) const {
  // Settled first: a launch that is counted late then only looks pending.
  Accounting accounting = session.settled_accounting();
  accounting.launches = core_->attributions.launches(session);
  return accounting;
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

void LaunchRouter::forget_launches() { core_->correlations.clear(); }

}  // namespace proton_xpu
