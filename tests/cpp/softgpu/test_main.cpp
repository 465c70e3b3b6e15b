// main of the driver's tests: they use the profile of the source tree unless told otherwise.
#include <gtest/gtest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  setenv("PROTON_XPU_SOFTGPU_PROFILE", SOFTGPU_PROFILE, 0);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
