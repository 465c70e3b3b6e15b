// The life of sessions, and of the one tracer that they share.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "data/accounting.h"
#include "data/device_facts.h"
#include "session/core.h"
#include "session/launch_router.h"
#include "session/session.h"
#include "session/thread_context.h"
#include "tracer/tracer.h"

namespace proton_xpu {

/// What the manager takes from outside.
struct SessionEnvironment {
  /// The tracers there are, besides "auto".
  std::vector<std::string> backends;
  /// Makes the tracer of a backend. Throws std::runtime_error with a sentence that says what to do.
  std::function<std::unique_ptr<Tracer>(const std::string& backend)> make_tracer;
  DeviceFactsProvider device_facts;
  std::string version;  ///< Of proton_xpu, for the files.
  /// How long a flush waits without any progress.
  std::chrono::milliseconds flush_patience{5000};
};

/// Thread-safe. Calls that wait for the device hold up other calls of the manager, but neither
/// launches nor scopes.
class SessionManager {
 public:
  explicit SessionManager(SessionEnvironment environment);
  ~SessionManager();

  /// Returns the id of a new, active session, or of the live session with this name, which is
  /// activated. Throws std::invalid_argument for words that are unknown and for a name that cannot
  /// be written, std::runtime_error if the tracer cannot start; an id is used up all the same.
  int start(const std::string& name, const std::string& context, const std::string& data,
            const std::string& backend, const std::string& mode);

  void activate(int session);
  void activate_all();
  void deactivate(int session, bool flushing);
  void deactivate_all(bool flushing);

  /// Flushes, writes and forgets a session; an unknown one is none of its business. An empty
  /// format means the data's own. If writing fails, the session stays, deactivated. Returns
  /// sentences to warn the user with.
  std::vector<std::string> finalize(int session, const std::string& output_format);
  /// Goes on after a failure, and throws the first error in the end.
  std::vector<std::string> finalize_all(const std::string& output_format);

  /// Flushes and writes the files of a live session as they are; the session goes on. Throws like
  /// finalize, and std::out_of_range for an unknown session.
  void write(int session, const std::string& output_format);

  /// The calling thread's scopes, operation and state.
  ThreadContext& thread();
  ScopeId new_scope_id() { return core_->new_scope_id(); }

  /// These throw std::out_of_range for an unknown session.
  std::size_t depth(int session);
  std::string json(int session, Phase phase);
  std::string msgpack(int session, Phase phase);
  Phase advance_phase(int session);
  bool is_phase_complete(int session, Phase phase);
  void clear_data(int session, Phase phase, bool up_to);
  Accounting accounting(int session);

  /// Of the tracer that runs; empty strings if none does.
  TracerInfo tracer_info();

  const std::vector<std::string>& backends() const { return environment_.backends; }

  /// In a forked child: gives this manager up without touching its locks.
  void abandon() noexcept { core_->is_abandoned.store(true); }

 private:
  using SessionPtr = std::shared_ptr<Session>;

  const SessionPtr& find(int session) const;
  SessionPtr find_by_name(const std::string& name) const;
  SessionPtr make_session(int id, const std::string& name, const std::string& context,
                          const std::string& data, const std::string& backend,
                          const std::string& mode) const;
  void activate(const SessionPtr& session);
  void deactivate(const SessionPtr& session);
  bool is_active(const SessionPtr& session) const;
  void start_tracer(const std::string& backend);
  void stop_tracer_if_unused();
  void flush();
  void complete_earlier_phases(const SessionPtr& session);
  std::vector<std::string> finalize(const SessionPtr& session, const std::string& output_format);
  static std::vector<std::string> warnings(const Session& session, const Accounting& accounting);

  const SessionEnvironment environment_;
  const std::shared_ptr<Core> core_ = std::make_shared<Core>();
  LaunchRouter router_{core_};

  std::mutex mutex_;
  int next_id_ = 0;
  std::map<int, SessionPtr> sessions_;
  ActiveSessions::List active_;
  std::unique_ptr<Tracer> tracer_;
  std::string tracer_backend_;
  bool is_tracing_ = false;
};

}  // namespace proton_xpu
