#include "session/session.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "context/errors.h"
#include "data/memory_op.h"

namespace proton_xpu {
namespace {

std::unique_ptr<ProfileStore> make_store(DataKind kind, const ContextTree& contexts,
                                         const OutputPath& output,
                                         const DeviceFactsProvider& device_facts) {
  return kind == DataKind::kTree ? make_tree_store(contexts, output, device_facts)
                                 : make_trace_store(contexts, output, device_facts);
}

}  // namespace

Session::Session(SessionSettings settings)
    : settings_(std::move(settings)),
      output_(settings_.name),
      store_(make_store(settings_.data, contexts_, output_, settings_.device_facts)) {}

Session::~Session() = default;

std::shared_ptr<ScopeStack> Session::copy_main_stack() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::make_shared<ScopeStack>(*main_stack_);
}

NodeId Session::below_state(NodeId node, const State& state) {
  for (const NameId frame : state) {
    node = contexts_.child(node, frame);
  }
  return node;
}

NodeId Session::context_node(const CallPosition& position) {
  if (!follows_frames()) {
    return position.scopes->top();
  }
  NodeId node = ContextTree::kRoot;
  for (const NameId frame : *position.frames) {
    node = contexts_.child(node, frame);
  }
  return node;
}

// Under a state, a scope's metrics go to a node below the scope that has the state's name, while
// what is opened or launched inside goes to the scope itself.
void Session::enter_scope(const CallPosition& position, ScopeId scope, NameId name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (is_closed()) {
    return;
  }
  NodeId node = context_node(position);
  if (!follows_frames()) {
    node = contexts_.child(node, name);
    position.scopes->push(scope, name, node);
  }
  node = below_state(node, *position.state);
  open_scopes_.insert(scope, node);
  store_->data().enter_scope(position.thread, scope, node);
}

void Session::exit_scope(const CallPosition& position, ScopeId scope, NameId name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (is_closed()) {
    return;
  }
  if (!follows_frames()) {
    position.scopes->pop(scope, name);
  }
  if (open_scopes_.erase(scope)) {
    store_->data().exit_scope(scope);
  }
}

std::size_t Session::depth(const CallPosition& position) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return follows_frames() ? position.frames->size() : position.scopes->depth();
}

NodeId Session::enter_op(const CallPosition& position, NameId name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const NodeId op = contexts_.child(below_state(context_node(position), *position.state), name);
  if (!is_closed()) {
    store_->data().enter_op(position.thread, op);
  }
  return op;
}

void Session::exit_op(OsThread thread) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!is_closed()) {
    store_->data().exit_op(thread);
  }
}

bool Session::add_scope_metrics(ScopeId scope, const std::vector<Metric>& metrics,
                                Placement* place) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const NodeId* node = open_scopes_.find(scope);
  if (node == nullptr) {
    return false;
  }
  if (!is_closed()) {
    store_->data().add_scope_metrics(scope, *node, metrics);
    if (place != nullptr) {
      *place = {*node, store_->data().phase(), nullptr};
    }
  }
  return true;
}

void Session::add_op_metrics(OsThread thread, NodeId op, const std::vector<Metric>& metrics,
                             Placement* place) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!is_closed()) {
    store_->data().add_op_metrics(thread, op, metrics);
    if (place != nullptr) {
      *place = {op, store_->data().phase(), nullptr};
    }
  }
}

void Session::settle_metrics(const Placement& place, const std::vector<Metric>& values) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!is_closed()) {
    store_->data().settle_metrics(place, values);
  }
}

Placement Session::place(const CallPosition& position) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const NodeId node = below_state(context_node(position), *position.state);
  return {node, is_closed() ? 0 : store_->data().phase(), nullptr};
}

Placement Session::place_in_op(OsThread thread, NodeId op) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (is_closed()) {
    return {op, 0, nullptr};
  }
  const ProfileData& data = store_->data();
  return {op, data.phase(), data.op_metrics(thread)};
}

void Session::record(const Placement& placement, bool is_op, const Activity& activity,
                     NameId kernel) {
  if (is_closed()) {
    return;
  }
  accounting_.count_activity(activity.kind);
  const bool is_kernel = activity.kind == ActivityKind::kKernel;
  if (is_kernel && is_op) {
    store_->data().add_activity(placement, activity);
  } else if (is_kernel || shows_memory_ops()) {
    const NameId name = is_kernel ? kernel : NameTable::instance().intern(memory_op_name(activity));
    store_->data().add_activity(
        {contexts_.child(placement.node, name), placement.phase, placement.op_metrics}, activity);
  }
}

Accounting Session::settled_accounting() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return accounting_;
}

Phase Session::advance_phase() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return is_closed() ? 0 : store_->data().advance_phase();
}

void Session::complete_earlier_phases() {
  const std::lock_guard<std::mutex> lock(mutex_);
  first_incomplete_phase_ = store().data().phase();
}

bool Session::is_phase_complete(Phase phase) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return phase < first_incomplete_phase_;
}

void Session::clear(Phase phase, bool up_to) {
  const std::lock_guard<std::mutex> lock(mutex_);
  store().clear(phase, up_to);
}

std::vector<Phase> Session::earlier_phases() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (is_closed()) {
    return {};
  }
  std::vector<Phase> phases = store_->data().held_phases();
  phases.erase(std::remove(phases.begin(), phases.end(), store_->data().phase()), phases.end());
  return phases;
}

void Session::write_phase(Phase phase, const Accounting& accounting) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (is_closed()) {
    return;
  }
  try {
    store_->write_part(phase, settings_.mode.periodic_format, metadata(accounting));
    store_->clear(phase, false);
    first_incomplete_phase_ = std::max(first_incomplete_phase_, phase + 1);
  } catch (const std::exception& error) {
    write_error_ = error.what();
  }
}

std::string Session::json(Phase phase) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return store().json(phase);
}

std::string Session::msgpack(Phase phase) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return store().msgpack(phase);
}

void Session::write(OutputFormat format, const Accounting& accounting) {
  if (!can_write(settings_.data, format)) {
    throw_invalid_argument("Output format not supported");
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  store().write(format, metadata(accounting));
  if (!write_error_.empty()) {
    throw_runtime_error(std::exchange(write_error_, std::string()));
  }
}

void Session::set_tracer_info(TracerInfo info) {
  const std::lock_guard<std::mutex> lock(mutex_);
  tracer_info_ = std::move(info);
}

ProfileMetadata Session::metadata(const Accounting& accounting) const {
  return {settings_.version, accounting, tracer_info_};
}

ProfileStore& Session::store() const {
  if (store_ == nullptr) {
    throw_out_of_range("Session has not been initialized: " + std::to_string(id()));
  }
  return *store_;
}

void Session::close() {
  const std::lock_guard<std::mutex> lock(mutex_);
  is_closed_.store(true, std::memory_order_release);
  store_.reset();
  contexts_ = ContextTree();
}

}  // namespace proton_xpu
