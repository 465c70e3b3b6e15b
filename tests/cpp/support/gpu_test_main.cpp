#include <gtest/gtest.h>

#include "support/gpu_stack.h"

int main(int argc, char** argv) {
  proton_xpu::testing::use_gpu_stack();
  ::testing::InitGoogleTest(&argc, argv);
  // Each death test gets a process of its own, as PTI and the loader keep state for good.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  return RUN_ALL_TESTS();
}
