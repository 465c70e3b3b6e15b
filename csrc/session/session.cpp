#include "session/session.h"

#include <utility>

#include "context/errors.h"
#include "data/tree_data.h"
#include "format/hatchet_json.h"

namespace proton_xpu {
namespace {

const char* memory_op_name(const Activity& activity) {
  if (activity.kind == ActivityKind::kFill) {
    return "<memset>";
  }
  switch (activity.direction) {
    case CopyDirection::kHostToDevice:
      return "<memcpy:H2D>";
    case CopyDirection::kDeviceToHost:
      return "<memcpy:D2H>";
    case CopyDirection::kDeviceToDevice:
      return "<memcpy:D2D>";
    case CopyDirection::kPeerToPeer:
      return "<memcpy:P2P>";
    case CopyDirection::kHostToHost:
      return "<memcpy:H2H>";
    case CopyDirection::kShared:
      return "<memcpy:shared>";
    case CopyDirection::kUnknown:
      break;
  }
  return "<memcpy>";
}

}  // namespace

Session::Session(SessionSettings settings)
    : settings_(std::move(settings)), output_(settings_.name) {
  auto tree = std::make_unique<TreeData>(contexts_);
  tree_ = tree.get();
  data_ = std::move(tree);
}

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
  data_->enter_scope(scope, node);
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
    data_->exit_scope(scope);
  }
}

std::size_t Session::depth(const CallPosition& position) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return follows_frames() ? position.frames->size() : position.scopes->depth();
}

NodeId Session::op_node(const CallPosition& position, NameId name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return contexts_.child(below_state(context_node(position), *position.state), name);
}

NodeId Session::enter_op(const CallPosition& position, NameId name) {
  const NodeId node = op_node(position, name);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!is_closed()) {
    data_->enter_op(node);
  }
  return node;
}

void Session::exit_op(NodeId node) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!is_closed()) {
    data_->exit_op(node);
  }
}

bool Session::add_scope_metrics(ScopeId scope, const std::vector<Metric>& metrics) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const NodeId* node = open_scopes_.find(scope);
  if (node == nullptr) {
    return false;
  }
  if (!is_closed()) {
    data_->add_scope_metrics(scope, *node, metrics);
  }
  return true;
}

void Session::add_op_metrics(NodeId node, const std::vector<Metric>& metrics) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!is_closed()) {
    data_->add_op_metrics(node, metrics);
  }
}

Session::Place Session::place(const CallPosition& position) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const NodeId node = below_state(context_node(position), *position.state);
  return {node, is_closed() ? 0 : data_->phase()};
}

Phase Session::phase() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return is_closed() ? 0 : data_->phase();
}

NodeId Session::memory_op_node(NodeId node, const Activity& activity) {
  return contexts_.child(node, NameTable::instance().intern(memory_op_name(activity)));
}

void Session::record(NodeId node, Phase phase, bool is_op, const Activity& activity,
                     NameId kernel) {
  if (is_closed()) {
    return;
  }
  accounting_.count_activity(activity.kind);
  if (activity.kind == ActivityKind::kKernel) {
    data_->add_activity(is_op ? node : contexts_.child(node, kernel), phase, activity);
  } else if (settings_.mode.memory_ops) {
    data_->add_activity(memory_op_node(node, activity), phase, activity);
  }
}

Accounting Session::settled_accounting() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return accounting_;
}

Phase Session::advance_phase() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return is_closed() ? 0 : data_->advance_phase();
}

void Session::complete_earlier_phases() {
  const std::lock_guard<std::mutex> lock(mutex_);
  first_incomplete_phase_ = data_->phase();
}

bool Session::is_phase_complete(Phase phase) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return phase < first_incomplete_phase_;
}

void Session::clear(Phase phase, bool up_to) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!is_closed()) {
    data_->clear(phase, up_to);
  }
}

const TreeData& Session::require_tree(const char* function) const {
  if (tree_ == nullptr) {
    throw_runtime_error(std::string("Only TreeData is supported for ") + function +
                        "() for now");
  }
  return *tree_;
}

std::string Session::hatchet_json(Phase phase) const {
  TreeSnapshot snapshot;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    snapshot = require_tree("getData").snapshot(phase);
  }
  return proton_xpu::hatchet_json(snapshot, settings_.device_facts, nullptr,
                                  JsonLayout::kIndented);
}

void Session::write(OutputFormat format, const ProfileMetadata& metadata) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!can_write(settings_.data, format)) {
    throw_invalid_argument("Output format not supported");
  }
  for (const Phase phase : data_->held_phases()) {
    const std::string content =
        proton_xpu::hatchet_json(tree_->snapshot(phase), settings_.device_facts, &metadata,
                                 JsonLayout::kIndented);
    if (data_->phase() == 0) {
      output_.write(format, content);
    } else {
      output_.write_part(phase, format, content);
    }
  }
}

void Session::close() {
  const std::lock_guard<std::mutex> lock(mutex_);
  is_closed_.store(true, std::memory_order_release);
  data_.reset();
  tree_ = nullptr;
  contexts_ = ContextTree();
}

}  // namespace proton_xpu
