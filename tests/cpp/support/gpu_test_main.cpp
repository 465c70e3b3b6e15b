#include <gtest/gtest.h>

#include "support/gpu_stack.h"

/// Read by LeakSanitizer: PTI never gives back the events and buffers that it makes for itself, all
/// of them through the loader's tracing layer.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libpti\nleak:libze_tracing_layer\n";
}

/// Read by AddressSanitizer: freed memory that it keeps back must not look like growth.
extern "C" const char* __asan_default_options() { return "quarantine_size_mb=16"; }

int main(int argc, char** argv) {
  proton_xpu::testing::use_gpu_stack();
  ::testing::InitGoogleTest(&argc, argv);
  // Each death test gets a process of its own, as PTI and the loader keep state for good.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  return RUN_ALL_TESTS();
}
