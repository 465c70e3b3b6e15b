#include <map>
#include <stdexcept>

#include "session/profile_store.h"
#include "session/session_fixture.h"

namespace proton_xpu {
namespace {

class TraceStoreTest : public SessionFixture {
 protected:
  std::vector<json> events(const std::string& file, const std::string& category) const {
    const json trace = read(file);
    std::vector<json> found;
    for (const json& event : trace["traceEvents"]) {
      if (event.value("cat", "") == category) {
        found.push_back(event);
      }
    }
    return found;
  }
};

TEST_F(TraceStoreTest, HasScopesAndKernels) {
  start("a", "trace");
  in_scope("outer", [&] {
    gpu_.launch("add");
    in_scope("inner", [&] { gpu_.launch("mul", 250); });
  });
  manager_.finalize_all("");
  const auto scopes = events("a.chrome_trace", "scope");
  ASSERT_EQ(scopes.size(), 2u);
  EXPECT_EQ(scopes[0]["name"], "outer");
  EXPECT_EQ(scopes[0]["args"]["scope_id"], 1);
  EXPECT_EQ(scopes[1]["args"]["scope_id"], 3);  // The launch took an id, as in Proton.
  EXPECT_EQ(scopes[1]["args"]["call_stack"], json({"ROOT", "outer", "inner"}));
  const auto kernels = events("a.chrome_trace", "kernel");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[1]["args"]["call_stack"], json({"ROOT", "outer", "inner", "mul"}));
  EXPECT_EQ(kernels[1]["dur"], 0.25);
  EXPECT_EQ(read("a.chrome_trace")["proton_xpu"]["accounting"]["kernels"], 2);
}

TEST_F(TraceStoreTest, HasTheMetricsOfEachRunOfAnOperation) {
  start("a", "trace");
  for (std::int64_t bytes : {8, 16}) {
    manager_.thread().enter_op(name("op"));
    manager_.thread().add_metrics(1, {{"bytes", bytes}});
    gpu_.launch("k");
    manager_.thread().exit_op();
  }
  manager_.finalize_all("");
  const auto kernels = events("a.chrome_trace", "kernel");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0]["name"], "op");
  EXPECT_EQ(kernels[0]["args"]["metrics"], json({{"bytes", "8"}}));
  EXPECT_EQ(kernels[1]["args"]["metrics"], json({{"bytes", "16"}}));
}

TEST_F(TraceStoreTest, HasCopiesWithoutBeingAsked) {
  start("a", "trace");
  Activity copy{};
  copy.kind = ActivityKind::kCopy;
  copy.direction = CopyDirection::kDeviceToHost;
  copy.bytes = 77;
  gpu_.launch(copy, "copy", 10);
  manager_.finalize_all("");
  const auto copies = events("a.chrome_trace", "memcpy");
  ASSERT_EQ(copies.size(), 1u);
  EXPECT_EQ(copies[0]["args"]["bytes"], 77);
  EXPECT_EQ(copies[0]["args"]["direction"], "D2H");
}

TEST_F(TraceStoreTest, IsNoTree) {
  const int session = start("a", "trace");
  EXPECT_EQ(error_of<std::runtime_error>([&] { manager_.json(session, 0); }),
            "[PROTON] Only TreeData is supported for getData() for now");
  EXPECT_EQ(error_of<std::runtime_error>([&] { manager_.msgpack(session, 0); }),
            "[PROTON] Only TreeData is supported for getDataMsgPack() for now");
}

TEST_F(TraceStoreTest, WritesAFileForEachPhase) {
  const int session = start("a", "trace");
  in_scope("p0", [&] { gpu_.launch("add"); });
  manager_.advance_phase(session);
  in_scope("p1", [&] { gpu_.launch("mul"); });
  manager_.finalize(session, "");
  EXPECT_EQ(folder_.files(),
            std::set<std::string>({"a.part_0.chrome_trace", "a.part_1.chrome_trace"}));
  EXPECT_EQ(events("a.part_0.chrome_trace", "kernel").at(0)["name"], "add");
  EXPECT_EQ(events("a.part_1.chrome_trace", "kernel").at(0)["name"], "mul");
}

TEST_F(TraceStoreTest, WritesPhasesPeriodically) {
  const int session = start("a", "trace", "periodic_flushing:format=chrome_trace");
  in_scope("p0", [&] { gpu_.launch("add"); });
  manager_.advance_phase(session);
  gpu_.deliver();
  EXPECT_EQ(folder_.files(), std::set<std::string>({"a.part_0.chrome_trace"}));
  manager_.finalize(session, "chrome_trace");
  EXPECT_EQ(events("a.part_0.chrome_trace", "kernel").size(), 1u);
}

TEST_F(TraceStoreTest, StreamsALongTraceAndRenamesItWhenThePhaseAdvances) {
  const int session = start("a", "trace");
  for (int i = 0; i < 80000; ++i) {
    gpu_.launch("k");
  }
  gpu_.deliver();
  EXPECT_EQ(folder_.files(), std::set<std::string>({"a.chrome_trace"}));
  EXPECT_EQ(events("a.chrome_trace", "kernel").size(), 65536u);
  manager_.advance_phase(session);
  manager_.finalize(session, "");
  EXPECT_EQ(folder_.files(),
            std::set<std::string>({"a.part_0.chrome_trace", "a.part_1.chrome_trace"}));
  EXPECT_EQ(events("a.part_0.chrome_trace", "kernel").size(), 80000u);
}

TEST_F(TraceStoreTest, LeavesNoFileOfAClearedPhase) {
  const int session = start("a", "trace");
  for (int i = 0; i < 80000; ++i) {
    gpu_.launch("k");
  }
  gpu_.deliver();
  manager_.clear_data(session, 0, false);
  EXPECT_TRUE(folder_.files().empty());
  manager_.finalize(session, "");
  EXPECT_TRUE(events("a.chrome_trace", "kernel").empty());
}

TEST_F(TraceStoreTest, WritesALiveTraceAndGoesOn) {
  const int session = start("a", "trace");
  gpu_.launch("k");
  manager_.write(session, "");
  EXPECT_EQ(events("a.chrome_trace", "kernel").size(), 1u);
  gpu_.launch("k");
  manager_.finalize(session, "");
  EXPECT_EQ(events("a.chrome_trace", "kernel").size(), 2u);
}

}  // namespace
}  // namespace proton_xpu
