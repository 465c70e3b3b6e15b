#include "format/chrome_trace_stream.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "support/temporary_folder.h"

namespace proton_xpu {
namespace {

using nlohmann::json;

class ChromeTraceStreamTest : public ::testing::Test {
 protected:
  TraceChunk chunk(std::uint64_t count) {
    TraceChunk chunk;
    for (std::uint64_t i = 0; i < count; ++i) {
      ActivitySlice slice{};
      slice.node = kernel_;
      slice.device = 2;
      slice.start_ns = next_ns_;
      slice.end_ns = next_ns_ + 5;
      next_ns_ += 10;
      chunk.activities.push_back(slice);
    }
    return chunk;
  }

  ProfileMetadata metadata() const {
    ProfileMetadata metadata;
    metadata.accounting.launches = 4711;
    return metadata;
  }

  static DeviceFacts facts(std::uint32_t device) {
    return {{"arch", std::string("pvc")}, {"index", std::uint64_t{device}}};
  }

  static std::size_t kernels(const json& trace) {
    std::size_t count = 0;
    for (const json& event : trace["traceEvents"]) {
      count += event.value("cat", "") == "kernel" ? 1 : 0;
    }
    return count;
  }

  TemporaryFolder folder_;
  ContextTree contexts_;
  const NodeId kernel_ = contexts_.child(ContextTree::kRoot, NameTable::instance().intern("k"));
  std::uint64_t next_ns_ = 2000;
  ChromeTraceStream stream_{folder_ / "t", contexts_, {1000, 777000}, 3};
};

TEST_F(ChromeTraceStreamTest, WritesAnEmptyTrace) {
  stream_.finish(metadata(), facts);
  const json trace = json::parse(folder_.read("t"));
  EXPECT_TRUE(trace["traceEvents"].empty());
  EXPECT_EQ(trace["displayTimeUnit"], "us");
  EXPECT_FALSE(trace.contains("baseTimeNanoseconds"));
  EXPECT_EQ(trace["proton_xpu"]["accounting"]["launches"], 4711);
  EXPECT_TRUE(trace["proton_xpu"]["devices"].empty());
}

TEST_F(ChromeTraceStreamTest, TouchesNoFileForASmallTraceBeforeItsEnd) {
  stream_.write(chunk(2));
  EXPECT_TRUE(folder_.files().empty());
  stream_.finish(metadata(), facts);
  const json trace = json::parse(folder_.read("t"));
  EXPECT_EQ(kernels(trace), 2u);
  EXPECT_EQ(trace["baseTimeNanoseconds"], 777000);
  EXPECT_EQ(trace["proton_xpu"]["devices"], json::parse(R"({"2": {"arch": "pvc", "index": 2}})"));
}

TEST_F(ChromeTraceStreamTest, IsValidAfterEveryChunk) {
  stream_.write(chunk(2));
  for (std::size_t i = 2; i < 6; ++i) {
    stream_.write(chunk(2));
    const json trace = json::parse(folder_.read("t"));
    EXPECT_EQ(kernels(trace), i * 2);
    EXPECT_TRUE(trace.contains("stackFrames"));
  }
}

TEST_F(ChromeTraceStreamTest, GoesOnAfterAnEnd) {
  stream_.finish(metadata(), facts);
  stream_.write(chunk(1));
  stream_.finish(metadata(), facts);
  EXPECT_EQ(kernels(json::parse(folder_.read("t"))), 1u);
  stream_.write(chunk(3));
  stream_.finish(metadata(), facts);
  const json trace = json::parse(folder_.read("t"));
  EXPECT_EQ(kernels(trace), 4u);
  EXPECT_EQ(trace["baseTimeNanoseconds"], 777000);
}

TEST_F(ChromeTraceStreamTest, RemovesWhatWasNeverFinished) {
  {
    ChromeTraceStream stream(folder_ / "u", contexts_, {1000, 777000});
    stream.write(chunk(1));
    stream.write(chunk(1));
    EXPECT_EQ(folder_.files(), std::set<std::string>({"u"}));
  }
  EXPECT_TRUE(folder_.files().empty());
}

TEST_F(ChromeTraceStreamTest, TellsAtTheEndWhatFailed) {
  ChromeTraceStream stream(folder_ / "no/such/t", contexts_, {1000, 777000});
  stream.write(chunk(1));
  stream.write(chunk(1));
  EXPECT_THROW(stream.finish(metadata(), facts), std::runtime_error);
}

}  // namespace
}  // namespace proton_xpu
