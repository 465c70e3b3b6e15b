#include "session/kernel_name.h"

#include <gtest/gtest.h>

namespace proton_xpu {
namespace {

TEST(KernelName, KeepsTritonsNames) {
  EXPECT_EQ(shown_kernel_name("add_kernel"), "add_kernel");
  EXPECT_EQ(shown_kernel_name("_add_0d1d2"), "_add_0d1d2");
}

TEST(KernelName, DemanglesFunctions) {
  EXPECT_EQ(shown_kernel_name("_Z3addPfi"), "add(float*, int)");
}

TEST(KernelName, DemanglesTheTypesThatNameSyclKernels) {
  EXPECT_EQ(shown_kernel_name("_ZTSN2at6native13FillKernelGpuE"), "at::native::FillKernelGpu");
}

TEST(KernelName, KeepsWhatOnlyLooksMangled) {
  EXPECT_EQ(shown_kernel_name("_Znothing"), "_Znothing");
  EXPECT_EQ(shown_kernel_name(""), "");
}

}  // namespace
}  // namespace proton_xpu
