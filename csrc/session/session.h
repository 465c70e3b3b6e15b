// One session: its contexts, its data and its accounting.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "context/context_tree.h"
#include "context/scope_stack.h"
#include "context/state.h"
#include "data/accounting.h"
#include "data/device_facts.h"
#include "data/profile_data.h"
#include "format/profile_metadata.h"
#include "session/output_path.h"
#include "session/profile_store.h"
#include "session/session_options.h"

namespace proton_xpu {

/// Where the calling thread stands in a session.
struct CallPosition {
  ScopeStack* scopes;                 ///< Used by the shadow context.
  const std::vector<NameId>* frames;  ///< Used by the python context; the outermost first.
  const State* state;
  OsThread thread;
};

struct SessionSettings {
  int id = 0;
  std::string name;
  ContextKind context = ContextKind::kShadow;
  DataKind data = DataKind::kTree;
  std::string backend;
  SessionMode mode;
  DeviceFactsProvider device_facts;
  std::string version;  ///< Of proton_xpu, for the files.
};

/// Thread-safe but for what is said to need the lock.
class Session {
 public:
  explicit Session(SessionSettings settings);
  ~Session();

  int id() const { return settings_.id; }
  const std::string& name() const { return settings_.name; }
  const std::string& backend() const { return settings_.backend; }
  const SessionMode& mode() const { return settings_.mode; }
  DataKind data_kind() const { return settings_.data; }
  bool shows_memory_ops() const {
    return settings_.mode.memory_ops || settings_.data == DataKind::kTrace;
  }
  bool follows_frames() const { return settings_.context == ContextKind::kPython; }
  const OutputPath& output() const { return output_; }

  /// The stack of the thread that started the session, and a copy of it for another thread.
  std::shared_ptr<ScopeStack> main_stack() const { return main_stack_; }
  std::shared_ptr<ScopeStack> copy_main_stack() const;

  void enter_scope(const CallPosition& position, ScopeId scope, NameId name);
  /// Throws std::runtime_error if the shadow context does not have this scope innermost.
  void exit_scope(const CallPosition& position, ScopeId scope, NameId name);
  std::size_t depth(const CallPosition& position) const;

  /// Begins a named operation here; its node.
  NodeId enter_op(const CallPosition& position, NameId name);
  void exit_op(OsThread thread);

  /// Returns false if the scope is not open. A `place` that is not null is told where they went.
  bool add_scope_metrics(ScopeId scope, const std::vector<Metric>& metrics,
                         Placement* place = nullptr);
  void add_op_metrics(OsThread thread, NodeId op, const std::vector<Metric>& metrics,
                      Placement* place = nullptr);

  /// Adds values to metrics that went to `place` as zeros.
  void settle_metrics(const Placement& place, const std::vector<Metric>& values);

  /// Where a launch belongs now: in the thread's context, or in its operation.
  Placement place(const CallPosition& position);
  Placement place_in_op(OsThread thread, NodeId op) const;

  /// What came of a launch. The caller holds mutex(); nothing happens once the session is closed.
  std::mutex& mutex() const { return mutex_; }
  void record(const Placement& placement, bool is_op, const Activity& activity, NameId kernel);
  void record_loss(LossReason reason) { accounting_.count_loss(reason); }

  /// Launches of attributions that are no more. Called under the attribution pool's lock.
  std::uint64_t past_launches() const { return past_launches_; }
  void add_past_launches(std::uint64_t launches) { past_launches_ += launches; }

  /// Counters but for the launches, which the launching threads keep.
  Accounting settled_accounting() const;

  Phase advance_phase();
  /// All phases before the present one have all their records, as far as is known.
  void complete_earlier_phases();
  bool is_phase_complete(Phase phase) const;
  void clear(Phase phase, bool up_to);

  /// The phases before the present one that are still held.
  std::vector<Phase> earlier_phases() const;
  /// Writes one of them to its part file and forgets it. A failure is kept for write().
  void write_phase(Phase phase, const Accounting& accounting) noexcept;

  /// One phase as text or bytes in Proton's own shape. Throws std::runtime_error for trace data,
  /// std::out_of_range for a phase that holds nothing.
  std::string json(Phase phase) const;
  std::string msgpack(Phase phase) const;

  /// Writes what the session holds: one file, or a file for each phase if it ever advanced.
  /// Throws std::invalid_argument if the data cannot be written like that, std::runtime_error if
  /// writing fails or has failed for an earlier phase.
  void write(OutputFormat format, const Accounting& accounting);

  /// What the files say of the tracer.
  void set_tracer_info(TracerInfo info);

  /// Forgets the data; whatever comes later for this session is ignored.
  void close();
  bool is_closed() const { return is_closed_.load(std::memory_order_acquire); }

 private:
  NodeId context_node(const CallPosition& position);
  NodeId below_state(NodeId node, const State& state);
  ProfileMetadata metadata(const Accounting& accounting) const;
  ProfileStore& store() const;

  const SessionSettings settings_;
  const OutputPath output_;
  const std::shared_ptr<ScopeStack> main_stack_ = std::make_shared<ScopeStack>();

  mutable std::mutex mutex_;
  ContextTree contexts_;
  std::unique_ptr<ProfileStore> store_;  // Null once closed.
  IdMap<NodeId> open_scopes_;            // The node that takes the metrics of each open scope.
  Accounting accounting_;
  TracerInfo tracer_info_;
  std::string write_error_;  // Of an earlier phase.
  Phase first_incomplete_phase_ = 0;
  std::atomic<bool> is_closed_{false};

  std::uint64_t past_launches_ = 0;
};

}  // namespace proton_xpu
