// What start() says when something is missing. Each case is a process of its own, as the loader and
// PTI stay opened for good.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "support/recording_sink.h"
#include "tracer/pti/pti_tracer.h"

namespace proton_xpu {
namespace {

using ::testing::ExitedWithCode;

/// Prints what start() throws and exits with 0, with 1 if it throws nothing.
[[noreturn]] void report_start_error(const std::string& library_path = {}) {
  testing::RecordingSink sink;
  DeviceTable devices;
  const std::unique_ptr<Tracer> tracer = make_pti_tracer(devices, library_path);
  try {
    tracer->start(sink);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::exit(0);
  }
  std::exit(1);
}

[[noreturn]] void report_start_error_with(const char* variable, const char* value) {
  setenv(variable, value, 1);
  report_start_error();
}

[[noreturn]] void report_start_error_of_version(const char* version) {
  setenv("FAKE_PTI_VERSION", version, 1);
  report_start_error_with("PROTON_XPU_PTI_LIBRARY", FAKE_PTI);
}

TEST(PtiTracerErrorDeathTest, MissingDriver) {
  EXPECT_EXIT(report_start_error_with("ZE_ENABLE_ALT_DRIVERS", "/nowhere/libze_none.so"),
              ExitedWithCode(0), "No Level Zero GPU driver starts");
}

TEST(PtiTracerErrorDeathTest, MissingLoader) {
  EXPECT_EXIT(report_start_error_with("PROTON_XPU_LEVEL_ZERO_LOADER", "/nowhere/libze_loader.so.1"),
              ExitedWithCode(0), "Cannot open the Level Zero loader");
}

TEST(PtiTracerErrorDeathTest, OldLoader) {
  EXPECT_EXIT(report_start_error_with("PROTON_XPU_LEVEL_ZERO_LOADER", OLD_LOADER),
              ExitedWithCode(0),
              "Intel PTI needs a Level Zero loader of version 1.16.15 or newer, but .* is 1.8.12; "
              "install a newer libze1");
}

TEST(PtiTracerErrorDeathTest, NamedLibraryIsMissing) {
  EXPECT_EXIT(report_start_error_with("PROTON_XPU_PTI_LIBRARY", "/nowhere/libpti_view.so"),
              ExitedWithCode(0),
              "Cannot open Intel PTI .*/nowhere/libpti_view.so.*PROTON_XPU_PTI_LIBRARY names");
}

[[noreturn]] void report_start_error_of_handed_path() {
  unsetenv("PROTON_XPU_PTI_LIBRARY");
  report_start_error("/nowhere/libpti_view.so");
}

TEST(PtiTracerErrorDeathTest, HandedLibraryIsMissing) {
  EXPECT_EXIT(report_start_error_of_handed_path(), ExitedWithCode(0),
              "Cannot open Intel PTI .*/nowhere/libpti_view.so.*the installed package intel-pti");
}

TEST(PtiTracerErrorDeathTest, LibraryIsTooOld) {
  EXPECT_EXIT(report_start_error_of_version("0.15.0"), ExitedWithCode(0),
              "Intel PTI 0.15.0 at .* cannot tell launches apart; install intel-pti 0.16 or newer");
}

TEST(PtiTracerErrorDeathTest, LibraryIsTooNew) {
  EXPECT_EXIT(report_start_error_of_version("2.0.0"), ExitedWithCode(0),
              "Intel PTI 2.0.0 at .* is newer than this proton_xpu understands");
}

TEST(PtiTracerErrorDeathTest, LibraryLacksAFunction) {
  EXPECT_EXIT(report_start_error_of_version("1.2.0"), ExitedWithCode(0),
              "Intel PTI at .* lacks ptiViewSetCallbacks; run `pip install -U intel-pti`");
}

}  // namespace
}  // namespace proton_xpu
