// What one thread has open: scopes in each session, an operation, a state.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "context/name_table.h"
#include "context/scope_stack.h"
#include "context/state.h"
#include "session/core.h"
#include "session/session.h"
#include "tracer/tracer.h"

namespace proton_xpu {

/// Where a metric went whose value comes later.
struct MetricPlace {
  std::weak_ptr<Session> session;
  Placement placement;
};

/// Used by its own thread only, but for is_launching().
class ThreadContext {
 public:
  /// The calling thread's context in this core, or null while the thread is ending.
  static ThreadContext* current(const std::shared_ptr<Core>& core) noexcept;

  ThreadContext(const ThreadContext&) = delete;
  ThreadContext& operator=(const ThreadContext&) = delete;

  /// A number of its own, never used again by another thread.
  std::uint64_t id() const { return id_; }

  /// These reach all active sessions; if some fail, the first error is thrown when all were tried.
  void enter_scope(ScopeId scope, NameId name);
  void exit_scope(ScopeId scope, NameId name);

  /// A second operation inside an open one is ignored, as is an exit without one.
  void enter_op(NameId name);
  void exit_op();

  /// One state a thread: a new one replaces the old, leaving clears it.
  void enter_state(std::string_view name);
  void exit_state();

  /// To the open operation if there is one, else to the scope. Throws std::out_of_range if no
  /// active session has the scope open.
  void add_metrics(ScopeId scope, const std::vector<Metric>& metrics) {
    add_metrics(scope, metrics, nullptr);
  }

  /// Like add_metrics, with zeros for values that settle_metrics brings. Extends `places` even if
  /// it throws. Returns false, and does nothing, if a trace is active: its events are final.
  bool defer_metrics(ScopeId scope, const std::vector<Metric>& zeros,
                     std::vector<MetricPlace>* places);

  /// Makes this thread the one whose stack others inherit.
  void adopt_main_stack(const std::shared_ptr<Session>& session);

  std::size_t depth(const std::shared_ptr<Session>& session);

  /// Stores and counts a launch. The steady state allocates nothing and waits for no one.
  void launch(const Launch& launch) noexcept;

  bool is_launching() const noexcept { return is_launching_.load(std::memory_order_seq_cst); }

 private:
  struct Owner;

  // This thread's side of one session.
  struct View {
    std::shared_ptr<Session> session;
    std::shared_ptr<ScopeStack> scopes;
    bool in_op = false;
    NodeId op_node = 0;
  };

  struct LaunchKey {
    Session* session;
    Placement placement;
    bool is_op;
  };

  explicit ThreadContext(std::shared_ptr<Core> core);
  ~ThreadContext();

  void bind(std::shared_ptr<Core> core);
  void unbind();
  void refresh();
  void refresh_if_stale() {
    if (epoch_ != core_->active.epoch()) {
      refresh();
    }
  }
  View& view_of(const std::shared_ptr<Session>& session);
  CallPosition position(const View& view) {
    return {view.scopes.get(), &frames_, &state_, os_thread_};
  }
  void add_metrics(ScopeId scope, const std::vector<Metric>& metrics,
                   std::vector<MetricPlace>* places);
  void walk_frames_if_followed();
  template <typename Call>
  void for_each_active(Call&& call);

  Attribution* attribution();
  Attribution* find_attribution();
  void retire_attributions();

  const std::uint64_t id_;
  std::shared_ptr<Core> core_;
  OsThread os_thread_ = 0;  // Asked for anew in a forked child.
  std::uint64_t epoch_ = 0;
  std::vector<std::unique_ptr<View>> views_;
  std::vector<View*> active_;
  bool follows_frames_ = false;  // Some active session has the python context.
  bool is_traced_ = false;       // Some active session is a trace.

  bool in_op_ = false;
  NameId op_name_ = 0;
  State state_;
  std::vector<NameId> frames_;

  Attribution* attribution_ = nullptr;  // Of the present context; null if that has changed.
  std::vector<NameId> attributed_frames_;
  std::vector<LaunchKey> keys_;
  std::unordered_map<std::uint64_t, Attribution*> attributions_;  // By hash of the keys.

  std::atomic<bool> is_launching_{false};
};

/// Adds values to metrics that were put off, in all sessions that still live. Any thread may call.
void settle_metrics(const std::vector<MetricPlace>& places, const std::vector<Metric>& values);

}  // namespace proton_xpu
