#include "context/errors.h"

#include <gtest/gtest.h>

namespace proton_xpu {
namespace {

TEST(Errors, CarryThePrefixOnce) {
  EXPECT_EQ(prefixed("Unknown data: x"), "[PROTON] Unknown data: x");
  EXPECT_EQ(prefixed("[PROTON] Unknown data: x"), "[PROTON] Unknown data: x");
}

TEST(Errors, HaveTheTypesThatTheBindingTranslates) {
  EXPECT_THROW(throw_invalid_argument("a"), std::invalid_argument);
  EXPECT_THROW(throw_out_of_range("a"), std::out_of_range);
  EXPECT_THROW(throw_runtime_error("a"), std::runtime_error);
}

}  // namespace
}  // namespace proton_xpu
