#include "format/chrome_trace_text.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "support/random_text.h"

namespace proton_xpu {
namespace {

using nlohmann::json;

class ChromeTraceTextTest : public ::testing::Test {
 protected:
  NodeId node(NodeId parent, std::string_view name) {
    return contexts_.child(parent, NameTable::instance().intern(name));
  }

  ActivitySlice kernel(NodeId at, std::uint64_t append, std::uint64_t start, std::uint64_t end) {
    ActivitySlice slice{};
    slice.node = at;
    slice.append_ns = append;
    slice.start_ns = start;
    slice.end_ns = end;
    return slice;
  }

  // All events so far, read back.
  json events(TraceChunk chunk) {
    text_ += trace_.events(std::move(chunk));
    return json::parse("[" + text_ + "]");
  }

  static std::vector<json> of_category(const json& events, const std::string& category) {
    std::vector<json> found;
    for (const json& event : events) {
      if (event.value("cat", "") == category) {
        found.push_back(event);
      }
    }
    return found;
  }

  static std::map<int, std::string> lane_names(const json& events) {
    std::map<int, std::string> names;
    for (const json& event : events) {
      if (event["name"] == "thread_name") {
        names[event["tid"]] = event["args"]["name"];
      }
    }
    return names;
  }

  ContextTree contexts_;
  const NodeId scope_ = node(ContextTree::kRoot, "outer");
  const NodeId kernel_ = node(scope_, "k");
  ChromeTraceText trace_{contexts_, {1000, 5000}, 100};
  std::string text_;
};

TEST_F(ChromeTraceTextTest, WritesAScope) {
  TraceChunk chunk;
  chunk.scopes.push_back({3, 2500, 10500, scope_, 17, {}});
  EXPECT_EQ(events(chunk), json::parse(R"([
    {"args": {"call_stack": ["ROOT", "outer"], "scope_id": 17}, "cat": "scope", "dur": 8.0,
     "name": "outer", "ph": "X", "pid": 0, "tid": 3, "ts": 1.5}])"));
}

TEST_F(ChromeTraceTextTest, WritesTheMetricsOfAScopeIntoItsName) {
  TraceChunk chunk;
  chunk.scopes.push_back({0,
                          1000,
                          2000,
                          scope_,
                          1,
                          {{"e (exc)", 2.0},
                           {"m", std::int64_t{1}},
                           {"v", std::vector<std::int64_t>{1, 2}},
                           {"w", std::vector<double>{0.5}}}});
  const json event = events(chunk)[0];
  EXPECT_EQ(event["name"], "outer: <e (exc), 2.000000>, <m, 1>, <v, [1,2]>, <w, [0.500000]>");
  EXPECT_EQ(event["cat"], "metric");
  EXPECT_EQ(
      event["args"]["metrics"],
      json::parse(R"json({"e (exc)": "2.000000", "m": "1", "v": "[1,2]", "w": "[0.500000]"})json"));
}

TEST_F(ChromeTraceTextTest, WritesAKernelWithItsLaunchAndTheArrow) {
  TraceChunk chunk;
  chunk.scopes.push_back({0, 1000, 9000, scope_, 1, {}});
  chunk.activities.push_back(kernel(kernel_, 2000, 3000, 4234));
  const json all = events(chunk);
  EXPECT_EQ(lane_names(all),
            (std::map<int, std::string>{{0, "CPU Thread 0"}, {200000, "GPU Stream 0"}}));
  EXPECT_EQ(of_category(all, "kernel").at(0), json::parse(R"(
    {"args": {"call_stack": ["ROOT", "outer", "k"], "metrics": {}}, "cat": "kernel", "dur": 1.234,
     "name": "k", "ph": "X", "pid": 0, "tid": 200000, "ts": 2.0})"));
  EXPECT_EQ(of_category(all, "launch").at(0), json::parse(R"(
    {"cat": "launch", "dur": 0.001, "name": "k", "ph": "X", "pid": 0, "tid": 0, "ts": 1.0})"));
  const auto flows = of_category(all, "flow");
  ASSERT_EQ(flows.size(), 2u);
  EXPECT_EQ(flows[0], json::parse(R"({"bp": "e", "cat": "flow", "id": 0, "name": "launch->kernel",
    "ph": "s", "pid": 0, "tid": 0, "ts": 1.0})"));
  EXPECT_EQ(flows[1], json::parse(R"({"bp": "e", "cat": "flow", "id": 0, "name": "launch->kernel",
    "ph": "f", "pid": 0, "tid": 200000, "ts": 2.0})"));
}

TEST_F(ChromeTraceTextTest, WritesWhatProtonsTracesStartWith) {
  TraceChunk chunk;
  chunk.activities.push_back(kernel(kernel_, 2000, 3000, 4000));
  const json all = events(chunk);
  EXPECT_EQ(all[0], json::parse(R"({"args": {"name": "Trace"}, "name": "process_name",
    "ph": "M", "pid": 0, "tid": 0})"));
  EXPECT_EQ(all[1]["name"], "process_sort_index");
  EXPECT_EQ(all[3], json::parse(R"({"args": {"sort_index": 0}, "name": "thread_sort_index",
    "ph": "M", "pid": 0, "tid": 0})"));
}

TEST_F(ChromeTraceTextTest, WritesTheMetricsOfAnOp) {
  TraceChunk chunk;
  chunk.activities.push_back(kernel(kernel_, 2000, 3000, 4000));
  chunk.activities[0].op_metrics = std::make_shared<std::vector<Metric>>(
      std::vector<Metric>{{"bytes", std::int64_t{32}}, {"flops32", 8.0}});
  EXPECT_EQ(of_category(events(chunk), "kernel").at(0)["args"]["metrics"],
            json::parse(R"({"bytes": "32", "flops32": "8.000000"})"));
}

TEST_F(ChromeTraceTextTest, WritesCopiesAndFills) {
  TraceChunk chunk;
  chunk.activities.push_back(kernel(node(scope_, "<memcpy:H2D>"), 1, 2000, 3000));
  chunk.activities[0].kind = ActivityKind::kCopy;
  chunk.activities[0].direction = CopyDirection::kHostToDevice;
  chunk.activities[0].bytes = 4096;
  chunk.activities.push_back(kernel(node(scope_, "<memset>"), 1, 3000, 4000));
  chunk.activities[1].kind = ActivityKind::kFill;
  chunk.activities[1].bytes = 64;
  const json all = events(chunk);
  const json copy = of_category(all, "memcpy").at(0);
  EXPECT_EQ(copy["args"]["bytes"], 4096);
  EXPECT_EQ(copy["args"]["direction"], "H2D");
  EXPECT_EQ(copy["name"], "<memcpy:H2D>");
  const json fill = of_category(all, "memset").at(0);
  EXPECT_EQ(fill["args"]["bytes"], 64);
  EXPECT_FALSE(fill["args"].contains("direction"));
}

TEST_F(ChromeTraceTextTest, SortsByStartInsideALane) {
  TraceChunk chunk;
  chunk.activities.push_back(kernel(kernel_, 1, 9000, 9500));
  chunk.activities.push_back(kernel(kernel_, 1, 3000, 4000));
  const auto kernels = of_category(events(chunk), "kernel");
  EXPECT_EQ(kernels.at(0)["ts"], 2.0);
  EXPECT_EQ(kernels.at(1)["ts"], 8.0);
}

TEST_F(ChromeTraceTextTest, IsBriefAfterTheFirstActivities) {
  ChromeTraceText brief(contexts_, {1000, 5000}, 1);
  TraceChunk chunk;
  chunk.activities.push_back(kernel(kernel_, 1000, 2000, 3000));
  chunk.activities.push_back(kernel(kernel_, 1000, 3000, 4000));
  const json all = json::parse("[" + brief.events(chunk) + "]");
  EXPECT_EQ(of_category(all, "launch").size(), 1u);
  EXPECT_EQ(of_category(all, "kernel").at(1), json({{"cat", "kernel"},
                                                    {"dur", 1.0},
                                                    {"name", "k"},
                                                    {"ph", "X"},
                                                    {"pid", 0},
                                                    {"sf", kernel_},
                                                    {"tid", 200000},
                                                    {"ts", 2.0}}));
  const json frames = json::parse(brief.stack_frames());
  EXPECT_EQ(frames.size(), 3u);
  const json& frame = frames[std::to_string(kernel_)];
  EXPECT_EQ(frame["name"], "k");
  EXPECT_EQ(frame["parent"], scope_);
  EXPECT_EQ(frames["0"]["name"], "ROOT");
  EXPECT_FALSE(frames["0"].contains("parent"));
}

TEST_F(ChromeTraceTextTest, HasNoStackFramesWhenNothingIsBrief) {
  TraceChunk chunk;
  chunk.activities.push_back(kernel(kernel_, 1000, 2000, 3000));
  events(chunk);
  EXPECT_EQ(trace_.stack_frames(), "");
}

TEST_F(ChromeTraceTextTest, CanBeCutAtAnyLineBreak) {
  for (int i = 0; i < 20; ++i) {
    TraceChunk chunk;
    for (std::uint64_t k = 0; k < 30; ++k) {
      chunk.activities.push_back(kernel(kernel_, 1000 + k, 2000 + k * 10, 2005 + k * 10));
    }
    events(chunk);
  }
  int cuts = 0;
  for (std::size_t cut = text_.find('\n'); cut != std::string::npos;
       cut = text_.find('\n', cut + 1)) {
    EXPECT_TRUE(json::accept("[" + text_.substr(0, cut) + "]"));
    ++cuts;
  }
  EXPECT_EQ(cuts, 29);  // 100 activities in full, 500 in brief, 21 lanes and the process.
}

TEST_F(ChromeTraceTextTest, IsStrictForAnyName) {
  std::mt19937_64 random(23);
  for (int i = 0; i < 200; ++i) {
    TraceChunk chunk;
    const NodeId scope = node(ContextTree::kRoot, random_text(&random));
    chunk.scopes.push_back({0, 1000, 2000, scope, 1, {{random_text(&random), std::int64_t{1}}}});
    chunk.activities.push_back(kernel(node(scope, random_text(&random)), 1000, 2000, 3000));
    events(chunk);
  }
  EXPECT_EQ(of_category(json::parse("[" + text_ + "]"), "kernel").size(), 200u);
}

}  // namespace
}  // namespace proton_xpu
