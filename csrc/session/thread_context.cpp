#include "session/thread_context.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "context/errors.h"
#include "context/frame_source.h"

namespace proton_xpu {
namespace {

std::atomic<std::uint64_t> next_thread_id{1};

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9E3779B97F4A7C15u + (hash << 6) + (hash >> 2);
  return hash * 0xBF58476D1CE4E5B9u;
}

}  // namespace

// Ends the context with its thread. The pointer that launches look at has no destructor, so that
// a launch from another object's thread-exit code meets null and not a destroyed context.
struct ThreadContext::Owner {
  ~Owner() {
    delete context;
    context = nullptr;
    is_ended = true;
  }
  static thread_local ThreadContext* context;
  static thread_local bool is_ended;
};

thread_local ThreadContext* ThreadContext::Owner::context = nullptr;
thread_local bool ThreadContext::Owner::is_ended = false;

ThreadContext* ThreadContext::current(const std::shared_ptr<Core>& core) noexcept {
  ThreadContext* context = Owner::context;
  if (context == nullptr) {
    if (Owner::is_ended) {
      return nullptr;
    }
    static thread_local Owner owner;
    (void)owner;
    context = Owner::context = new ThreadContext(core);
  } else if (context->core_ != core) {
    context->bind(core);
  }
  return context;
}

ThreadContext::ThreadContext(std::shared_ptr<Core> core) : id_(next_thread_id.fetch_add(1)) {
  bind(std::move(core));
}

ThreadContext::~ThreadContext() { unbind(); }

void ThreadContext::bind(std::shared_ptr<Core> core) {
  unbind();
  core_ = std::move(core);
  os_thread_ = static_cast<OsThread>(syscall(SYS_gettid));
  core_->active.add_thread(this);
}

void ThreadContext::unbind() {
  if (core_ == nullptr) {
    return;
  }
  retire_attributions();
  active_.clear();
  views_.clear();
  in_op_ = false;
  state_ = State();
  epoch_ = 0;
  if (!core_->is_abandoned.load()) {
    core_->active.remove_thread(this);
  }
  core_.reset();
}

void ThreadContext::retire_attributions() {
  for (const auto& [hash, attribution] : attributions_) {
    attribution->retire();
  }
  attributions_.clear();
  attribution_ = nullptr;
}

void ThreadContext::refresh() {
  const ActiveSessions::Snapshot now = core_->active.snapshot();
  retire_attributions();
  active_.clear();
  views_.erase(std::remove_if(views_.begin(), views_.end(),
                              [](const auto& view) { return view->session->is_closed(); }),
               views_.end());
  follows_frames_ = false;
  is_traced_ = false;
  for (const std::shared_ptr<Session>& session : now.sessions) {
    active_.push_back(&view_of(session));
    follows_frames_ = follows_frames_ || session->follows_frames();
    is_traced_ = is_traced_ || session->data_kind() == DataKind::kTrace;
  }
  epoch_ = now.epoch;
}

ThreadContext::View& ThreadContext::view_of(const std::shared_ptr<Session>& session) {
  for (const std::unique_ptr<View>& view : views_) {
    if (view->session == session) {
      return *view;
    }
  }
  auto view = std::make_unique<View>();
  view->session = session;
  view->scopes = session->copy_main_stack();
  return *views_.emplace_back(std::move(view));
}

void ThreadContext::adopt_main_stack(const std::shared_ptr<Session>& session) {
  view_of(session).scopes = session->main_stack();
}

void ThreadContext::walk_frames_if_followed() {
  if (follows_frames_) {
    walk_frames(frames_);
  }
}

template <typename Call>
void ThreadContext::for_each_active(Call&& call) {
  std::exception_ptr first_error;
  for (View* view : active_) {
    try {
      call(*view);
    } catch (...) {
      if (first_error == nullptr) {
        first_error = std::current_exception();
      }
    }
  }
  if (first_error != nullptr) {
    std::rethrow_exception(first_error);
  }
}

void ThreadContext::enter_scope(ScopeId scope, NameId name) {
  refresh_if_stale();
  walk_frames_if_followed();
  attribution_ = nullptr;
  for_each_active([&](View& view) { view.session->enter_scope(position(view), scope, name); });
}

void ThreadContext::exit_scope(ScopeId scope, NameId name) {
  refresh_if_stale();
  attribution_ = nullptr;
  for_each_active([&](View& view) { view.session->exit_scope(position(view), scope, name); });
}

void ThreadContext::enter_op(NameId name) {
  if (in_op_) {
    return;
  }
  refresh_if_stale();
  walk_frames_if_followed();
  in_op_ = true;
  op_name_ = name;
  attribution_ = nullptr;
  for_each_active([&](View& view) {
    view.op_node = view.session->enter_op(position(view), name);
    view.in_op = true;
  });
}

void ThreadContext::exit_op() {
  if (!in_op_) {
    return;
  }
  in_op_ = false;
  attribution_ = nullptr;
  for (const std::unique_ptr<View>& view : views_) {
    if (view->in_op) {
      view->in_op = false;
      view->session->exit_op(os_thread_);
    }
  }
}

void ThreadContext::enter_state(std::string_view name) {
  state_ = State(name);
  attribution_ = nullptr;
}

void ThreadContext::exit_state() {
  state_ = State();
  attribution_ = nullptr;
}

bool ThreadContext::defer_metrics(ScopeId scope, const std::vector<Metric>& zeros,
                                  std::vector<MetricPlace>* places) {
  refresh_if_stale();
  if (is_traced_) {
    return false;
  }
  add_metrics(scope, zeros, places);
  return true;
}

void settle_metrics(const std::vector<MetricPlace>& places, const std::vector<Metric>& values) {
  for (const MetricPlace& place : places) {
    if (const std::shared_ptr<Session> session = place.session.lock()) {
      session->settle_metrics(place.placement, values);
    }
  }
}

void ThreadContext::add_metrics(ScopeId scope, const std::vector<Metric>& metrics,
                                std::vector<MetricPlace>* places) {
  refresh_if_stale();
  if (active_.empty()) {
    return;
  }
  bool is_taken = false;
  for_each_active([&](View& view) {
    Placement placement;
    bool is_taken_here = view.in_op;
    if (!in_op_) {
      is_taken_here = view.session->add_scope_metrics(scope, metrics, &placement);
      is_taken = is_taken || is_taken_here;
    } else if (view.in_op) {
      attribution_ = nullptr;  // A trace's launches carry the metrics.
      view.session->add_op_metrics(os_thread_, view.op_node, metrics, &placement);
    }
    if (places != nullptr && is_taken_here) {
      places->push_back({view.session, placement});
    }
  });
  if (!in_op_ && !is_taken) {
    throw_out_of_range("Scope " + std::to_string(scope) +
                       " is not open, so it can take no metrics");
  }
}

std::size_t ThreadContext::depth(const std::shared_ptr<Session>& session) {
  if (session->follows_frames()) {
    walk_frames(frames_);
  }
  return session->depth(position(view_of(session)));
}

void ThreadContext::launch(const Launch& launch) noexcept {
  // Paired with ActiveSessions::wait_for_launches: either this sees the new epoch, or the waiter
  // sees that a launch is under way.
  is_launching_.store(true, std::memory_order_seq_cst);
  refresh_if_stale();
  if (!active_.empty()) {
    if (is_traced_ && !in_op_ && launch.kind == ActivityKind::kKernel) {
      core_->new_scope_id();  // Proton's traces show ids that count such launches too.
    }
    Attribution* attributed = attribution();
    attributed->count_launch(launch.deferred);
    core_->correlations.put(launch.correlation_id, attributed, launch.deferred);
  }
  is_launching_.store(false, std::memory_order_release);
}

Attribution* ThreadContext::attribution() {
  if (follows_frames_ && !in_op_) {
    walk_frames(frames_);
    if (frames_ != attributed_frames_) {
      attribution_ = nullptr;
      attributed_frames_ = frames_;
    }
  }
  if (attribution_ == nullptr) {
    attribution_ = find_attribution();
  }
  return attribution_;
}

Attribution* ThreadContext::find_attribution() {
  keys_.clear();
  std::uint64_t hash = in_op_ ? 1 : 0;
  for (View* view : active_) {
    if (in_op_ && !view->in_op) {  // The session became active inside the operation.
      view->op_node = view->session->enter_op(position(*view), op_name_);
      view->in_op = true;
    }
    keys_.push_back({view->session.get(),
                     in_op_ ? view->session->place_in_op(os_thread_, view->op_node)
                            : view->session->place(position(*view)),
                     in_op_});
    const Placement& placement = keys_.back().placement;
    hash = mix(hash, static_cast<std::uint64_t>(placement.node) << 32 | placement.phase);
    hash = mix(hash, reinterpret_cast<std::uintptr_t>(placement.op_metrics.get()));
    hash = mix(hash, static_cast<std::uint64_t>(view->session->id()));
  }
  const auto matches = [this](const Attribution& attribution) {
    return std::equal(keys_.begin(), keys_.end(), attribution.targets().begin(),
                      attribution.targets().end(), [](const LaunchKey& key, const Target& target) {
                        const Placement& a = key.placement;
                        const Placement& b = target.placement;
                        return key.session == target.session.get() && a.node == b.node &&
                               a.phase == b.phase && a.op_metrics == b.op_metrics &&
                               key.is_op == target.is_op;
                      });
  };
  for (auto found = attributions_.find(hash); found != attributions_.end();
       found = attributions_.find(++hash)) {
    if (matches(*found->second)) {
      return found->second;
    }
  }
  std::vector<Target> targets;
  bool is_for_one_op = false;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    is_for_one_op = is_for_one_op || keys_[i].placement.op_metrics != nullptr;
    targets.push_back({active_[i]->session, keys_[i].placement, keys_[i].is_op});
  }
  if (is_for_one_op) {
    retire_attributions();  // They would pile up, one for each run of an operation.
  }
  Attribution* made = core_->attributions.make(std::move(targets));
  attributions_.emplace(hash, made);
  return made;
}

}  // namespace proton_xpu
