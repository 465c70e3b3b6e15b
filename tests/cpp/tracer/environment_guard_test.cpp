#include "tracer/pti/environment_guard.h"

#include <gtest/gtest.h>

#include <optional>

namespace proton_xpu {
namespace {

std::optional<std::string> read(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

TEST(EnvironmentGuard, RestoresAddedChangedAndRemovedVariables) {
  setenv("GUARD_CHANGED", "old", 1);
  setenv("GUARD_REMOVED", "a=b", 1);
  unsetenv("GUARD_ADDED");
  {
    const EnvironmentGuard guard;
    setenv("GUARD_ADDED", "new", 1);
    setenv("GUARD_CHANGED", "new", 1);
    unsetenv("GUARD_REMOVED");
  }
  EXPECT_EQ(read("GUARD_ADDED"), std::nullopt);
  EXPECT_EQ(read("GUARD_CHANGED"), "old");
  EXPECT_EQ(read("GUARD_REMOVED"), "a=b");
}

}  // namespace
}  // namespace proton_xpu
