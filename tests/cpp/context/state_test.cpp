#include "context/state.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace proton_xpu {
namespace {

std::vector<std::string> frames(const State& state) {
  std::vector<std::string> texts;
  for (const NameId frame : state) {
    texts.emplace_back(NameTable::instance().text(frame));
  }
  return texts;
}

TEST(State, IsEmptyByDefault) {
  EXPECT_TRUE(State().empty());
  EXPECT_TRUE(frames(State()).empty());
}

TEST(State, IsOneFrame) { EXPECT_EQ(frames(State("opt")), std::vector<std::string>({"opt"})); }

TEST(State, OfLaunchMetadataHasTheKernelBelow) {
  EXPECT_EQ(frames(State("__proton_launch_metadata:k")),
            std::vector<std::string>({"__proton_launch_metadata", "k"}));
  EXPECT_EQ(frames(State("__proton_launch_metadata")),
            std::vector<std::string>({"__proton_launch_metadata"}));
}

}  // namespace
}  // namespace proton_xpu
