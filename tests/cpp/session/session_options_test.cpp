#include "session/session_options.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace proton_xpu {
namespace {

template <typename Call>
std::string refusal(Call&& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(SessionOptions, ReadWordsInAnyCase) {
  EXPECT_EQ(parse_context("SHADOW"), ContextKind::kShadow);
  EXPECT_EQ(parse_context("python"), ContextKind::kPython);
  EXPECT_EQ(parse_data("Tree"), DataKind::kTree);
  EXPECT_EQ(parse_data("trace"), DataKind::kTrace);
  EXPECT_EQ(parse_output_format("Hatchet"), OutputFormat::kHatchet);
  EXPECT_EQ(parse_output_format("hatchet_msgpack"), OutputFormat::kHatchetMsgpack);
  EXPECT_EQ(parse_output_format("chrome_trace"), OutputFormat::kChromeTrace);
}

TEST(SessionOptions, RefuseOtherWordsAsProtonDoes) {
  EXPECT_EQ(refusal([] { parse_context("nope"); }), "[PROTON] Unknown context source: nope");
  EXPECT_EQ(refusal([] { parse_data("nope"); }), "[PROTON] Unknown data: nope");
  EXPECT_EQ(refusal([] { parse_output_format("nope"); }), "[PROTON] Unknown output format: nope");
}

TEST(SessionOptions, KnowWhichFormatsFitWhichData) {
  EXPECT_EQ(default_format(DataKind::kTree), OutputFormat::kHatchet);
  EXPECT_EQ(default_format(DataKind::kTrace), OutputFormat::kChromeTrace);
  EXPECT_TRUE(can_write(DataKind::kTree, OutputFormat::kHatchetMsgpack));
  EXPECT_FALSE(can_write(DataKind::kTree, OutputFormat::kChromeTrace));
  EXPECT_FALSE(can_write(DataKind::kTrace, OutputFormat::kHatchet));
}

TEST(SessionMode, IsPlainWhenEmpty) {
  for (const char* text : {"", ":"}) {
    const SessionMode mode = parse_mode(text);
    EXPECT_FALSE(mode.periodic_flushing);
    EXPECT_FALSE(mode.memory_ops);
  }
}

TEST(SessionMode, TellsItsParts) {
  EXPECT_EQ(parse_mode("periodic_flushing:format=hatchet").parts,
            std::vector<std::string>({"periodic_flushing", "format=hatchet"}));
  EXPECT_TRUE(split_mode("").empty());
}

TEST(SessionMode, FlushesPeriodically) {
  EXPECT_EQ(parse_mode("Periodic_Flushing").periodic_format, OutputFormat::kHatchet);
  const SessionMode mode = parse_mode("periodic_flushing:format=HATCHET_msgpack:memory_ops=on");
  EXPECT_TRUE(mode.periodic_flushing);
  EXPECT_TRUE(mode.memory_ops);
  EXPECT_EQ(mode.periodic_format, OutputFormat::kHatchetMsgpack);
  EXPECT_TRUE(parse_mode("periodic_flushing:word").periodic_flushing);
}

TEST(SessionMode, ShowsMemoryOps) {
  EXPECT_TRUE(parse_mode("memory_ops").memory_ops);
  EXPECT_FALSE(parse_mode("periodic_flushing:memory_ops=off").memory_ops);
}

TEST(SessionMode, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(refusal([] { parse_mode("pcsampling:interval=1"); }),
            "[PROTON] XpuptiProfiler: unsupported mode: pcsampling");
  EXPECT_EQ(refusal([] { parse_mode("periodic_flushing:foo=1"); }),
            "[PROTON] XpuptiProfiler: unsupported option key: foo");
  EXPECT_EQ(refusal([] { parse_mode("periodic_flushing:format=zz"); }),
            "[PROTON] XpuptiProfiler: unsupported format: zz");
  EXPECT_EQ(refusal([] { parse_mode("periodic_flushing:memory_ops=yes"); }),
            "[PROTON] XpuptiProfiler: memory_ops is on or off, not: yes");
}

}  // namespace
}  // namespace proton_xpu
