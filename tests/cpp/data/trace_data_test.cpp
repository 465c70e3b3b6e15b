#include "data/trace_data.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "support/activities.h"

namespace proton_xpu {
namespace {

class Recorder final : public TraceSink {
 public:
  explicit Recorder(std::vector<TraceChunk>* chunks) : chunks_(*chunks) {}
  void write(TraceChunk chunk) noexcept override { chunks_.push_back(std::move(chunk)); }

 private:
  std::vector<TraceChunk>& chunks_;
};

class TraceDataTest : public ::testing::Test {
 protected:
  const std::vector<TraceChunk>& drained(Phase phase = 0) {
    data_.drain(phase);
    return chunks_[phase];
  }

  std::map<Phase, std::vector<TraceChunk>> chunks_;
  TraceData data_{[this](Phase phase) { return std::make_unique<Recorder>(&chunks_[phase]); }, 4};
};

TEST_F(TraceDataTest, KeepsAScopeWithItsTimesAndThread) {
  data_.enter_scope(900, 1, 10);
  data_.enter_scope(901, 2, 20);
  data_.exit_scope(2);
  data_.exit_scope(1);
  const auto& scopes = drained().at(0).scopes;
  ASSERT_EQ(scopes.size(), 2u);
  EXPECT_EQ(scopes[0].scope, 2u);
  EXPECT_EQ(scopes[0].thread, 1u);
  EXPECT_EQ(scopes[1].thread, 0u);
  EXPECT_EQ(scopes[1].node, 10u);
  EXPECT_LE(scopes[1].start_ns, scopes[0].start_ns);
  EXPECT_GE(scopes[1].end_ns, scopes[0].end_ns);
}

TEST_F(TraceDataTest, LeavesAnOpenScopeOut) {
  data_.enter_scope(900, 1, 10);
  EXPECT_TRUE(drained().empty());
}

TEST_F(TraceDataTest, KeepsMetricsUnderTheirGivenNames) {
  data_.enter_scope(900, 1, 10);
  data_.add_scope_metrics(1, 10, {{"m", std::int64_t{1}}, {"e (exc)", 2.0}});
  data_.add_scope_metrics(1, 10, {{"m", std::int64_t{2}}});
  data_.exit_scope(1);
  const std::vector<Metric>& metrics = drained().at(0).scopes.at(0).metrics;
  ASSERT_EQ(metrics.size(), 2u);
  EXPECT_EQ(metrics[0].name, "e (exc)");
  EXPECT_EQ(std::get<std::int64_t>(metrics[1].value), 3);
}

TEST_F(TraceDataTest, GivesTheActivitiesOfAnOpItsMetrics) {
  EXPECT_EQ(data_.op_metrics(900), nullptr);
  data_.enter_op(900, 10);
  EXPECT_EQ(data_.op_metrics(900), nullptr);
  data_.add_op_metrics(900, 10, {{"bytes", std::int64_t{8}}});
  const OpMetrics metrics = data_.op_metrics(900);
  ASSERT_NE(metrics, nullptr);
  EXPECT_EQ(data_.op_metrics(901), nullptr);
  data_.add_activity({10, 0, metrics}, kernel_activity(1, 2, 3));
  data_.exit_op(900);
  EXPECT_EQ(data_.op_metrics(900), nullptr);
  EXPECT_EQ(drained().at(0).activities.at(0).op_metrics, metrics);
}

TEST_F(TraceDataTest, KeepsWhatAnActivitySays) {
  Activity activity = kernel_activity(10, 20, 35);
  activity.kind = ActivityKind::kCopy;
  activity.direction = CopyDirection::kDeviceToHost;
  activity.device = 2;
  activity.queue = 77;
  activity.thread_id = 900;
  activity.bytes = 4096;
  data_.add_activity({5, 0, nullptr}, activity);
  const ActivitySlice& slice = drained().at(0).activities.at(0);
  EXPECT_EQ(slice.node, 5u);
  EXPECT_EQ(slice.kind, ActivityKind::kCopy);
  EXPECT_EQ(slice.direction, CopyDirection::kDeviceToHost);
  EXPECT_EQ(slice.device, 2u);
  EXPECT_EQ(slice.queue, 77u);
  EXPECT_EQ(slice.thread, 0u);
  EXPECT_EQ(slice.append_ns, 10u);
  EXPECT_EQ(slice.start_ns, 20u);
  EXPECT_EQ(slice.end_ns, 35u);
  EXPECT_EQ(slice.bytes, 4096u);
}

TEST_F(TraceDataTest, HandsOnFullChunks) {
  for (std::uint64_t i = 0; i < 10; ++i) {
    data_.add_activity({1, 0, nullptr}, kernel_activity(i, i, i));
  }
  ASSERT_EQ(chunks_[0].size(), 2u);
  EXPECT_EQ(chunks_[0][0].activities.size(), 4u);
  ASSERT_EQ(drained().size(), 3u);
  EXPECT_EQ(chunks_[0][2].activities.size(), 2u);
  EXPECT_EQ(drained().size(), 3u);
}

TEST_F(TraceDataTest, PutsAScopeIntoThePhaseInWhichItWasOpened) {
  data_.enter_scope(900, 1, 10);
  data_.advance_phase();
  data_.exit_scope(1);
  EXPECT_EQ(drained(0).at(0).scopes.size(), 1u);
  EXPECT_TRUE(drained(1).empty());
}

TEST_F(TraceDataTest, PutsAScopeOfAClearedPhaseIntoThePresentOne) {
  data_.enter_scope(900, 1, 10);
  data_.advance_phase();
  data_.clear(0, false);
  data_.exit_scope(1);
  EXPECT_EQ(data_.held_phases(), std::vector<Phase>({1}));
  EXPECT_EQ(drained(1).at(0).scopes.size(), 1u);
}

}  // namespace
}  // namespace proton_xpu
