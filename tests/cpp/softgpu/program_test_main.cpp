// main of the tests that run on the OpenCL CPU runtime: the one that was found at configure time
// unless told otherwise.
#include <gtest/gtest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  setenv("PROTON_XPU_OPENCL_RUNTIME", OPENCL_RUNTIME, 0);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
