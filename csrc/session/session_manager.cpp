#include "session/session_manager.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "context/errors.h"

namespace proton_xpu {
namespace {

constexpr char kAutoBackend[] = "auto";

OutputFormat format_for(const Session& session, const std::string& text) {
  return text.empty() ? default_format(session.data_kind()) : parse_output_format(text);
}

}  // namespace

SessionManager::SessionManager(SessionEnvironment environment)
    : environment_(std::move(environment)) {}

SessionManager::~SessionManager() {
  if (is_tracing_) {
    tracer_->stop();
  }
}

const SessionManager::SessionPtr& SessionManager::find(int session) const {
  const auto found = sessions_.find(session);
  if (found == sessions_.end()) {
    throw_out_of_range("Session has not been initialized: " + std::to_string(session));
  }
  return found->second;
}

SessionManager::SessionPtr SessionManager::find_by_name(const std::string& name) const {
  for (const auto& [id, session] : sessions_) {
    if (session->name() == name) {
      return session;
    }
  }
  return nullptr;
}

SessionManager::SessionPtr SessionManager::make_session(int id, const std::string& name,
                                                        const std::string& context,
                                                        const std::string& data,
                                                        const std::string& backend,
                                                        const std::string& mode) const {
  SessionSettings settings;
  settings.id = id;
  settings.name = name;
  settings.backend = lower_case(backend);
  const auto& known = environment_.backends;
  if (settings.backend != kAutoBackend &&
      std::find(known.begin(), known.end(), settings.backend) == known.end()) {
    throw_invalid_argument("Unknown profiler: " + backend);
  }
  const std::vector<std::string> mode_parts = split_mode(mode);
  for (const auto& [other_id, other] : sessions_) {
    if (other->mode().parts != mode_parts) {
      throw_invalid_argument(
          "Cannot add a session with the same profiler but a different mode than existing "
          "sessions");
    }
  }
  settings.mode = parse_mode(mode);
  settings.context = parse_context(context);
  settings.data = parse_data(data);
  settings.device_facts = environment_.device_facts;
  settings.version = environment_.version;
  auto session = std::make_shared<Session>(std::move(settings));
  if (session->mode().periodic_flushing &&
      !can_write(session->data_kind(), session->mode().periodic_format)) {
    throw_invalid_argument("Output format not supported");
  }
  session->output().require_writable(default_format(session->data_kind()));
  return session;
}

int SessionManager::start(const std::string& name, const std::string& context,
                          const std::string& data, const std::string& backend,
                          const std::string& mode) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const SessionPtr live = find_by_name(name)) {
    activate(live);
    return live->id();
  }
  const int id = next_id_++;
  const SessionPtr session = make_session(id, name, context, data, backend, mode);
  start_tracer(session->backend());
  session->set_tracer_info(tracer_->info());
  sessions_.emplace(id, session);
  thread().adopt_main_stack(session);
  activate(session);
  return id;
}

void SessionManager::start_tracer(const std::string& backend) {
  if (is_tracing_ && (backend == kAutoBackend || backend == tracer_backend_)) {
    return;
  }
  if (is_tracing_) {
    throw_runtime_error("The backend " + tracer_backend_ +
                        " is in use. Finalize its sessions before starting one with " + backend +
                        ".");
  }
  try {
    if (tracer_ == nullptr || (backend != kAutoBackend && backend != tracer_backend_)) {
      tracer_ = environment_.make_tracer(backend);
      tracer_backend_ = tracer_->info().backend;
    }
    tracer_->start(router_);
  } catch (const std::exception& error) {
    tracer_.reset();
    throw_runtime_error(error.what());
  }
  is_tracing_ = true;
}

// The stopped tracer stays: it still tells its info, and it may start again.
void SessionManager::stop_tracer_if_unused() {
  if (is_tracing_ && active_.empty()) {
    tracer_->stop();
    is_tracing_ = false;
    router_.forget_launches();
  }
}

void SessionManager::flush() {
  core_->active.wait_for_launches();
  if (is_tracing_) {
    tracer_->flush(environment_.flush_patience);
  }
}

bool SessionManager::is_active(const SessionPtr& session) const {
  return std::find(active_.begin(), active_.end(), session) != active_.end();
}

void SessionManager::activate(const SessionPtr& session) {
  if (is_active(session)) {
    return;
  }
  start_tracer(session->backend());
  active_.push_back(session);
  core_->active.set(active_);
}

void SessionManager::deactivate(const SessionPtr& session) {
  if (!is_active(session)) {
    return;
  }
  active_.erase(std::find(active_.begin(), active_.end(), session));
  core_->active.set(active_);
}

void SessionManager::activate(int session) {
  const std::lock_guard<std::mutex> lock(mutex_);
  activate(find(session));
}

void SessionManager::activate_all() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [id, session] : sessions_) {
    activate(session);
  }
}

void SessionManager::deactivate(int session, bool flushing) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const SessionPtr found = find(session);
  deactivate(found);
  if (flushing) {
    flush();
    complete_earlier_phases(found);
  }
}

void SessionManager::deactivate_all(bool flushing) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [id, session] : sessions_) {
    deactivate(session);
  }
  if (flushing) {
    flush();
    for (const auto& [id, session] : sessions_) {
      complete_earlier_phases(session);
    }
  }
}

std::vector<std::string> SessionManager::warnings(const Session& session,
                                                  const Accounting& accounting) {
  std::vector<std::string> sentences;
  const auto add = [&](std::uint64_t count, const char* what) {
    if (count != 0) {
      sentences.push_back("Session " + std::to_string(session.id()) + " (" + session.name() +
                          "): " + std::to_string(count) + " of " +
                          std::to_string(accounting.launches) + " launches " + what);
    }
  };
  add(accounting.lost(),
      "have no record and are missing from the profile; its accounting says so.");
  add(accounting.untimed(),
      "have a record without usable times and are missing from the profile; its accounting says "
      "so.");
  return sentences;
}

std::vector<std::string> SessionManager::finalize(const SessionPtr& session,
                                                  const std::string& output_format) {
  deactivate(session);
  flush();
  complete_earlier_phases(session);
  if (tracer_ != nullptr) {
    session->set_tracer_info(tracer_->info());
  }
  stop_tracer_if_unused();
  Accounting accounting = router_.accounting(*session);
  accounting.give_up_pending();
  session->write(format_for(*session, output_format), accounting);
  const std::vector<std::string> sentences = warnings(*session, accounting);
  const int id = session->id();
  session->close();
  sessions_.erase(id);
  return sentences;
}

// With periodic flushing they are written, since nothing more is to come for them.
void SessionManager::complete_earlier_phases(const SessionPtr& session) {
  session->complete_earlier_phases();
  if (session->mode().periodic_flushing) {
    for (const Phase phase : session->earlier_phases()) {
      session->write_phase(phase, router_.accounting(*session));
    }
  }
}

std::vector<std::string> SessionManager::finalize(int session, const std::string& output_format) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = sessions_.find(session);
  if (found == sessions_.end()) {
    return {};
  }
  return finalize(SessionPtr(found->second), output_format);
}

std::vector<std::string> SessionManager::finalize_all(const std::string& output_format) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::string> sentences;
  std::exception_ptr first_error;
  const std::map<int, SessionPtr> sessions = sessions_;
  for (const auto& [id, session] : sessions) {
    deactivate(session);
  }
  for (const auto& [id, session] : sessions) {
    try {
      const std::vector<std::string> more = finalize(session, output_format);
      sentences.insert(sentences.end(), more.begin(), more.end());
    } catch (...) {
      if (first_error == nullptr) {
        first_error = std::current_exception();
      }
    }
  }
  if (first_error != nullptr) {
    std::rethrow_exception(first_error);
  }
  return sentences;
}

void SessionManager::write(int session, const std::string& output_format) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const SessionPtr found = find(session);
  flush();
  found->write(format_for(*found, output_format), router_.accounting(*found));
}

ThreadContext& SessionManager::thread() {
  ThreadContext* context = ThreadContext::current(core_);
  if (context == nullptr) {
    throw_runtime_error("This thread is ending; it can open no scope any more");
  }
  return *context;
}

std::size_t SessionManager::depth(int session) {
  SessionPtr found;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    found = find(session);
  }
  return thread().depth(found);
}

std::string SessionManager::json(int session, Phase phase) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return find(session)->json(phase);
}

std::string SessionManager::msgpack(int session, Phase phase) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return find(session)->msgpack(phase);
}

Phase SessionManager::advance_phase(int session) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Phase phase = find(session)->advance_phase();
  core_->active.touch();
  core_->active.wait_for_launches();
  return phase;
}

bool SessionManager::is_phase_complete(int session, Phase phase) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return find(session)->is_phase_complete(phase);
}

void SessionManager::clear_data(int session, Phase phase, bool up_to) {
  const std::lock_guard<std::mutex> lock(mutex_);
  find(session)->clear(phase, up_to);
}

Accounting SessionManager::accounting(int session) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return router_.accounting(*find(session));
}

TracerInfo SessionManager::tracer_info() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return is_tracing_ ? tracer_->info() : TracerInfo{};
}

}  // namespace proton_xpu
