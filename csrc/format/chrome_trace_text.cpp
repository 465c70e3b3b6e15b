#include "format/chrome_trace_text.h"

#include <algorithm>
#include <tuple>
#include <variant>

#include "context/name_table.h"
#include "data/memory_op.h"
#include "format/json_text.h"

namespace proton_xpu {
namespace {

// Whoever reads a file whose end is missing cuts it at the last line break.
constexpr std::size_t kEventsPerLine = 32;

// A launch is a moment to the tracer; a slice of no length cannot be seen or clicked.
constexpr std::uint64_t kLaunchSliceNs = 1;

void append_integer(std::uint64_t value, std::string* out) { append_json_number(value, out); }

// Traces show metric values as text.
struct MetricText {
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return std::to_string(value); }
  template <typename Element>
  std::string operator()(const std::vector<Element>& values) const {
    std::string text = "[";
    for (const Element value : values) {
      if (text.size() > 1) {
        text += ',';
      }
      text += (*this)(value);
    }
    return text + "]";
  }
};

void append_metrics(const std::vector<Metric>& metrics, std::string* out) {
  *out += "\"metrics\":{";
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (i != 0) {
      *out += ',';
    }
    append_json_string(metrics[i].name, out);
    *out += ':';
    append_json_string(std::visit(MetricText{}, metrics[i].value), out);
  }
  *out += '}';
}

const char* category(ActivityKind kind) {
  switch (kind) {
    case ActivityKind::kKernel:
      return "kernel";
    case ActivityKind::kCopy:
      return "memcpy";
    case ActivityKind::kFill:
      return "memset";
  }
  return "";
}

void sort_chunk(TraceChunk* chunk) {
  std::stable_sort(chunk->scopes.begin(), chunk->scopes.end(),
                   [](const ScopeSlice& a, const ScopeSlice& b) {
                     return std::tie(a.thread, a.start_ns) < std::tie(b.thread, b.start_ns);
                   });
  std::stable_sort(chunk->activities.begin(), chunk->activities.end(),
                   [](const ActivitySlice& a, const ActivitySlice& b) {
                     return std::tie(a.device, a.queue, a.start_ns) <
                            std::tie(b.device, b.queue, b.start_ns);
                   });
}

}  // namespace

std::string ChromeTraceText::events(TraceChunk chunk) {
  out_.clear();
  sort_chunk(&chunk);
  const std::size_t full = std::min(full_activities_left_, chunk.activities.size());
  full_activities_left_ -= full;
  std::vector<std::uint32_t> tids;
  tids.reserve(chunk.activities.size());
  for (const ActivitySlice& activity : chunk.activities) {
    tids.push_back(lanes_.place(activity));
  }
  name_lanes(chunk, full);
  for (const ScopeSlice& scope : chunk.scopes) {
    add_scope(scope);
  }
  for (std::size_t i = 0; i < full; ++i) {
    add_launch(chunk.activities[i]);
  }
  for (std::size_t i = 0; i < full; ++i) {
    add_flow(chunk.activities[i], tids[i]);
  }
  for (std::size_t i = 0; i < chunk.activities.size(); ++i) {
    add_activity(chunk.activities[i], tids[i], i < full);
  }
  return std::move(out_);
}

void ChromeTraceText::begin_event() {
  if (events_ != 0) {
    if (events_ % kEventsPerLine == 0) {
      out_ += '\n';
    }
    out_ += ',';
  }
  ++events_;
}

void ChromeTraceText::name_lanes(const TraceChunk& chunk, std::size_t full_activities) {
  if (chunk.activities.empty()) {
    return;  // Only with something from the device do lanes get names, as in Proton.
  }
  if (!is_process_named_) {
    is_process_named_ = true;
    begin_event();
    out_ += R"({"args":{"name":"Trace"},"name":"process_name","ph":"M","pid":0,"tid":0})";
    begin_event();
    out_ += R"({"args":{"sort_index":0},"name":"process_sort_index","ph":"M","pid":0,"tid":0})";
  }
  std::vector<std::uint32_t> threads;
  for (const ScopeSlice& scope : chunk.scopes) {
    threads.push_back(scope.thread);
  }
  for (std::size_t i = 0; i < full_activities; ++i) {
    threads.push_back(chunk.activities[i].thread);
  }
  std::sort(threads.begin(), threads.end());
  for (const std::uint32_t thread : threads) {
    if (thread >= is_thread_named_.size()) {
      is_thread_named_.resize(thread + 1);
    }
    if (!is_thread_named_[thread]) {
      is_thread_named_[thread] = true;
      name_lane(thread, "CPU Thread " + std::to_string(thread));
    }
  }
  for (const TraceLanes::NewLane& lane : lanes_.take_new_lanes()) {
    name_lane(lane.tid, lane.name);
  }
}

void ChromeTraceText::name_lane(std::uint32_t tid, const std::string& name) {
  begin_event();
  out_ += "{\"args\":{\"name\":";
  append_json_string(name, &out_);
  out_ += "},\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":0,\"tid\":";
  append_integer(tid, &out_);
  out_ += '}';
  begin_event();
  out_ += "{\"args\":{\"sort_index\":";
  append_integer(tid, &out_);
  out_ += "},\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":0,\"tid\":";
  append_integer(tid, &out_);
  out_ += '}';
}

void ChromeTraceText::add_microseconds(std::string_view key, std::uint64_t ns) {
  out_ += key;
  append_integer(ns / 1000, &out_);
  char digits[] = {'.', static_cast<char>('0' + ns / 100 % 10),
                   static_cast<char>('0' + ns / 10 % 10), static_cast<char>('0' + ns % 10)};
  std::size_t length = sizeof(digits);
  while (length > 2 && digits[length - 1] == '0') {
    --length;
  }
  out_.append(digits, length);
}

void ChromeTraceText::add_place(std::uint32_t tid, std::uint64_t start_ns) {
  out_ += ",\"tid\":";
  append_integer(tid, &out_);
  add_microseconds(",\"ts\":", start_ns - std::min(start_ns, clock_.base_ns));
}

void ChromeTraceText::add_scope(const ScopeSlice& scope) {
  const bool has_metrics = !scope.metrics.empty();
  begin_event();
  out_ += "{\"args\":{\"call_stack\":";
  out_ += call_stack(scope.node);
  if (has_metrics) {
    out_ += ',';
    append_metrics(scope.metrics, &out_);
  }
  out_ += ",\"scope_id\":";
  append_integer(scope.scope, &out_);
  out_ += has_metrics ? "},\"cat\":\"metric\"" : "},\"cat\":\"scope\"";
  add_microseconds(",\"dur\":", scope.end_ns - scope.start_ns);
  out_ += ",\"name\":";
  if (has_metrics) {
    std::string title(NameTable::instance().text(contexts_.name(scope.node)));
    const char* separator = ": ";
    for (const Metric& metric : scope.metrics) {
      title += separator;
      title += "<" + metric.name + ", " + std::visit(MetricText{}, metric.value) + ">";
      separator = ", ";
    }
    append_json_string(title, &out_);
  } else {
    out_ += name(scope.node);
  }
  out_ += ",\"ph\":\"X\",\"pid\":0";
  add_place(scope.thread, scope.start_ns);
  out_ += '}';
}

void ChromeTraceText::add_launch(const ActivitySlice& activity) {
  begin_event();
  out_ += "{\"cat\":\"launch\"";
  add_microseconds(",\"dur\":", kLaunchSliceNs);
  out_ += ",\"name\":";
  out_ += name(activity.node);
  out_ += ",\"ph\":\"X\",\"pid\":0";
  add_place(activity.thread, activity.append_ns);
  out_ += '}';
}

void ChromeTraceText::add_flow(const ActivitySlice& activity, std::uint32_t tid) {
  add_flow_end('s', activity.thread, activity.append_ns);
  add_flow_end('f', tid, activity.start_ns);
  ++flows_;
}

void ChromeTraceText::add_flow_end(char phase, std::uint32_t tid, std::uint64_t ns) {
  begin_event();
  out_ += "{\"bp\":\"e\",\"cat\":\"flow\",\"id\":";
  append_integer(flows_, &out_);
  out_ += ",\"name\":\"launch->kernel\",\"ph\":\"";
  out_ += phase;
  out_ += "\",\"pid\":0";
  add_place(tid, ns);
  out_ += '}';
}

void ChromeTraceText::add_arguments(const ActivitySlice& activity) {
  static const std::vector<Metric> no_metrics;
  out_ += "\"args\":{";
  if (activity.kind != ActivityKind::kKernel) {
    out_ += "\"bytes\":";
    append_integer(activity.bytes, &out_);
    out_ += ',';
  }
  out_ += "\"call_stack\":";
  out_ += call_stack(activity.node);
  if (activity.kind == ActivityKind::kCopy) {
    out_ += ",\"direction\":\"";
    out_ += direction_name(activity.direction);
    out_ += '"';
  }
  out_ += ',';
  append_metrics(activity.op_metrics == nullptr ? no_metrics : *activity.op_metrics, &out_);
  out_ += "},";
}

void ChromeTraceText::add_activity(const ActivitySlice& activity, std::uint32_t tid, bool is_full) {
  begin_event();
  out_ += '{';
  if (is_full || activity.op_metrics != nullptr || activity.kind != ActivityKind::kKernel) {
    add_arguments(activity);
    is_full = true;
  }
  out_ += "\"cat\":\"";
  out_ += category(activity.kind);
  out_ += '"';
  add_microseconds(",\"dur\":", activity.end_ns - activity.start_ns);
  out_ += ",\"name\":";
  out_ += name(activity.node);
  out_ += ",\"ph\":\"X\",\"pid\":0";
  if (!is_full) {
    if (activity.node >= is_frame_used_.size()) {
      is_frame_used_.resize(contexts_.size());
    }
    is_frame_used_[activity.node] = true;
    out_ += ",\"sf\":";
    append_integer(activity.node, &out_);
  }
  add_place(tid, activity.start_ns);
  out_ += '}';
}

std::string_view ChromeTraceText::call_stack(NodeId node) {
  const auto [found, is_new] = call_stacks_.try_emplace(node);
  if (is_new) {
    std::vector<NodeId> path = {node};
    while (path.back() != ContextTree::kRoot) {
      path.push_back(contexts_.parent(path.back()));
    }
    std::string text = "[";
    for (auto frame = path.rbegin(); frame != path.rend(); ++frame) {
      if (frame != path.rbegin()) {
        text += ',';
      }
      append_json_string(NameTable::instance().text(contexts_.name(*frame)), &text);
    }
    found->second = text + "]";
  }
  return found->second;
}

std::string_view ChromeTraceText::name(NodeId node) {
  const auto [found, is_new] = names_.try_emplace(node);
  if (is_new) {
    append_json_string(NameTable::instance().text(contexts_.name(node)), &found->second);
  }
  return found->second;
}

std::string ChromeTraceText::stack_frames() const {
  std::vector<bool> is_needed = is_frame_used_;
  // Parents have smaller numbers than their children.
  for (std::size_t node = is_needed.size(); node-- > 1;) {
    if (is_needed[node]) {
      is_needed[contexts_.parent(static_cast<NodeId>(node))] = true;
    }
  }
  std::string text;
  for (std::size_t i = 0; i < is_needed.size(); ++i) {
    if (!is_needed[i]) {
      continue;
    }
    const auto node = static_cast<NodeId>(i);
    text += text.empty() ? "{\"" : ",\"";
    append_integer(i, &text);
    text += "\":{\"name\":";
    append_json_string(NameTable::instance().text(contexts_.name(node)), &text);
    if (node != ContextTree::kRoot) {
      text += ",\"parent\":";
      append_integer(contexts_.parent(node), &text);
    }
    text += '}';
  }
  return text.empty() ? text : text + "}";
}

}  // namespace proton_xpu
