#include "tracer/pti/library_alias.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace proton_xpu {
namespace {

TEST(LibraryAlias, OpensALibraryByPathUnderAnotherName) {
  constexpr const char* kAlias = "libalias_by_path.so";
  void* original = dlopen(FAKE_PTI, RTLD_NOW);
  ASSERT_NE(original, nullptr) << dlerror();
  EXPECT_EQ(dlopen(kAlias, RTLD_NOW), nullptr);
  ASSERT_TRUE(add_library_alias(kAlias, FAKE_PTI)) << dlerror();
  void* alias = dlopen(kAlias, RTLD_NOW);
  ASSERT_NE(alias, nullptr) << dlerror();
  EXPECT_EQ(dlsym(alias, "ptiVersion"), dlsym(original, "ptiVersion"));
}

TEST(LibraryAlias, OpensALibraryBySonameUnderAnotherName) {
  constexpr const char* kAlias = "libalias_by_soname.so";
  void* original = dlopen("libm.so.6", RTLD_NOW);
  ASSERT_NE(original, nullptr) << dlerror();
  ASSERT_TRUE(add_library_alias(kAlias, "libm.so.6")) << dlerror();
  void* alias = dlopen(kAlias, RTLD_NOW);
  ASSERT_NE(alias, nullptr) << dlerror();
  EXPECT_EQ(dlsym(alias, "cos"), dlsym(original, "cos"));
}

TEST(LibraryAlias, RefusesATargetThatDoesNotExist) {
  EXPECT_FALSE(add_library_alias("libalias_of_nothing.so", "/nowhere/libnothing.so"));
}

TEST(LibraryAlias, ReadsTheSoname) {
  EXPECT_EQ(soname_of(dlopen("libm.so.6", RTLD_NOW)), "libm.so.6");
  EXPECT_EQ(soname_of(dlopen(FAKE_PTI, RTLD_NOW)), "");
}

}  // namespace
}  // namespace proton_xpu
