#include <stdexcept>

#include "session/profile_store.h"
#include "session/session_fixture.h"

namespace proton_xpu {
namespace {

using TreeStoreTest = SessionFixture;

TEST_F(TreeStoreTest, GivesItsDataAsProtonDoes) {
  const int session = start("a");
  gpu_.launch("k");
  gpu_.deliver();
  EXPECT_EQ(
      manager_.json(session, 0),
      R"json([{"children":[{"children":[],"frame":{"name":"k","type":"function"},)json"
      R"json("metrics":{"count":1,"device_id":"0","device_type":"XPU","time (ns)":1000}}],)json"
      R"json("frame":{"name":"ROOT","type":"function"},"metrics":{"count":0,"time (ns)":0}},)json"
      R"json({"XPU":{"0":{"arch":"pvc","num_sms":64}}}])json");
  EXPECT_EQ(json::from_msgpack(manager_.msgpack(session, 0)),
            json::parse(manager_.json(session, 0)));
}

TEST_F(TreeStoreTest, WritesEitherFormat) {
  const int session = start("a");
  gpu_.launch("k");
  manager_.finalize(session, "HATCHET_msgpack");
  const json packed = json::from_msgpack(folder_.read("a.hatchet_msgpack"));
  EXPECT_EQ(outline(packed[0]), "ROOT(k*1)");
  EXPECT_EQ(packed[0]["proton_xpu"]["accounting"]["kernels"], 1);
}

TEST_F(TreeStoreTest, IndentsSmallTreesOnly) {
  const int small = start("small");
  manager_.finalize(small, "");
  EXPECT_NE(folder_.read("small.hatchet").find("\n    {"), std::string::npos);
  const int large = start("large");
  for (int i = 0; i < 1000; ++i) {
    in_scope("context" + std::to_string(i), [&] { gpu_.launch("add_kernel"); });
  }
  manager_.finalize(large, "");
  EXPECT_EQ(read("large.hatchet")[0]["children"].size(), 1000u);
  EXPECT_LT(folder_.read("large.hatchet").size(), 300000u);
}

TEST_F(TreeStoreTest, WritesToTheStandardOutput) {
  const int session = manager_.start("-", "shadow", "tree", "xpupti", "");
  ::testing::internal::CaptureStdout();
  manager_.finalize(session, "");
  const std::string printed = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(outline(json::parse(printed)[0]), "ROOT");
  EXPECT_EQ(printed.front(), '\n');
  EXPECT_EQ(printed.back(), '\n');
}

}  // namespace
}  // namespace proton_xpu
