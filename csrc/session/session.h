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
#include "session/session_options.h"

namespace proton_xpu {

class TreeData;

/// Where the calling thread stands in a session.
struct CallPosition {
  ScopeStack* scopes;                 ///< Used by the shadow context.
  const std::vector<NameId>* frames;  ///< Used by the python context; the outermost first.
  const State* state;
};

struct SessionSettings {
  int id = 0;
  std::string name;
  ContextKind context = ContextKind::kShadow;
  DataKind data = DataKind::kTree;
  std::string backend;
  SessionMode mode;
  DeviceFactsProvider device_facts;
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
  bool follows_frames() const { return settings_.context == ContextKind::kPython; }
  const OutputPath& output() const { return output_; }

  /// The stack of the thread that started the session, and a copy of it for another thread.
  std::shared_ptr<ScopeStack> main_stack() const { return main_stack_; }
  std::shared_ptr<ScopeStack> copy_main_stack() const;

  void enter_scope(const CallPosition& position, ScopeId scope, NameId name);
  /// Throws std::runtime_error if the shadow context does not have this scope innermost.
  void exit_scope(const CallPosition& position, ScopeId scope, NameId name);
  std::size_t depth(const CallPosition& position) const;

  /// The node of a named operation here. `begin` tells the data that it begins.
  NodeId op_node(const CallPosition& position, NameId name);
  NodeId enter_op(const CallPosition& position, NameId name);
  void exit_op(NodeId node);

  /// Returns false if the scope is not open.
  bool add_scope_metrics(ScopeId scope, const std::vector<Metric>& metrics);
  void add_op_metrics(NodeId node, const std::vector<Metric>& metrics);

  struct Place {
    NodeId node;
    Phase phase;
  };
  /// Where a launch belongs now.
  Place place(const CallPosition& position);
  Phase phase() const;

  /// What came of a launch. The caller holds mutex(); nothing happens once the session is closed.
  std::mutex& mutex() const { return mutex_; }
  void record(NodeId node, Phase phase, bool is_op, const Activity& activity, NameId kernel);
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

  /// The data of one phase in Proton's own shape. Throws std::runtime_error for trace data,
  /// std::out_of_range for a phase that holds nothing.
  std::string hatchet_json(Phase phase) const;

  /// Writes what the session holds: one file, or a file for each phase if it ever advanced.
  void write(OutputFormat format, const ProfileMetadata& metadata) const;

  /// Forgets the data; whatever comes later for this session is ignored.
  void close();
  bool is_closed() const { return is_closed_.load(std::memory_order_acquire); }

 private:
  NodeId context_node(const CallPosition& position);
  NodeId below_state(NodeId node, const State& state);
  NodeId memory_op_node(NodeId node, const Activity& activity);
  const TreeData& require_tree(const char* function) const;

  const SessionSettings settings_;
  const OutputPath output_;
  const std::shared_ptr<ScopeStack> main_stack_ = std::make_shared<ScopeStack>();

  mutable std::mutex mutex_;
  ContextTree contexts_;
  std::unique_ptr<ProfileData> data_;
  TreeData* tree_ = nullptr;     // data_, if it is a tree.
  IdMap<NodeId> open_scopes_;    // The node that takes the metrics of each open scope.
  Accounting accounting_;
  Phase first_incomplete_phase_ = 0;
  std::atomic<bool> is_closed_{false};

  std::uint64_t past_launches_ = 0;
};

}  // namespace proton_xpu
