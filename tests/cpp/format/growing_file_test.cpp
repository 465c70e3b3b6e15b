#include "format/growing_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

#include "support/temporary_folder.h"

namespace proton_xpu {
namespace {

TEST(GrowingFile, MakesNothingBeforeTheFirstStep) {
  const TemporaryFolder folder;
  const GrowingFile file(folder / "f");
  EXPECT_TRUE(folder.files().empty());
}

TEST(GrowingFile, ReplacesTheTail) {
  const TemporaryFolder folder;
  GrowingFile file(folder / "f");
  file.step("[1", "]with a long tail");
  EXPECT_EQ(folder.read("f"), "[1]with a long tail");
  file.step(",2", "]");
  EXPECT_EQ(folder.read("f"), "[1,2]");
  file.step("", "!");
  EXPECT_EQ(folder.read("f"), "[1,2!");
}

TEST(GrowingFile, TakesAnotherName) {
  const TemporaryFolder folder;
  GrowingFile file(folder / "f");
  file.step("a", "b");
  file.move_to(folder / "g");
  file.step("c", "d");
  EXPECT_EQ(folder.files(), std::set<std::string>({"g"}));
  EXPECT_EQ(folder.read("g"), "acd");
}

TEST(GrowingFile, IsRemovedWhenDiscarded) {
  const TemporaryFolder folder;
  GrowingFile file(folder / "f");
  file.step("a", "b");
  file.discard();
  EXPECT_TRUE(folder.files().empty());
  EXPECT_FALSE(file.is_open());
}

TEST(GrowingFile, CopiesItselfEvenWithoutAName) {
  const TemporaryFolder folder;
  GrowingFile file("");
  file.step(std::string(3000000, 'x'), "end");
  const int target = open((folder / "copy").c_str(), O_WRONLY | O_CREAT, 0600);
  file.copy_to(target);
  close(target);
  EXPECT_EQ(folder.read("copy"), std::string(3000000, 'x') + "end");
}

TEST(GrowingFile, SaysWhatFailed) {
  GrowingFile file("/nonexistent/f");
  try {
    file.step("a", "b");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "[PROTON] Cannot write the profile to /nonexistent/f: No such file or directory");
  }
}

}  // namespace
}  // namespace proton_xpu
