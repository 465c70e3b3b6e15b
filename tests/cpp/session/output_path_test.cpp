#include "session/output_path.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>

#include "support/temporary_folder.h"

namespace proton_xpu {
namespace {

TEST(OutputPath, NamesFilesByFormatAndPhase) {
  const TemporaryFolder folder;
  const OutputPath output(folder / "p.b");
  EXPECT_EQ(output.file(OutputFormat::kHatchet), folder / "p.b.hatchet");
  EXPECT_EQ(output.part(3, OutputFormat::kChromeTrace), folder / "p.b.part_3.chrome_trace");
}

TEST(OutputPath, HasNoFileForTheStandardOutput) {
  EXPECT_EQ(OutputPath("-").file(OutputFormat::kHatchet), "");
  EXPECT_EQ(OutputPath("").part(1, OutputFormat::kHatchet), "");
}

TEST(OutputPath, WritesToTheStandardOutput) {
  ::testing::internal::CaptureStdout();
  OutputPath("-").write(OutputFormat::kHatchet, "content");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "content");
}

TEST(OutputPath, StaysWhereItWasWhenTheWorkingDirectoryChanges) {
  const TemporaryFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder / "");
  const OutputPath output("p");
  std::filesystem::current_path(before);
  output.write(OutputFormat::kHatchet, "x");
  EXPECT_EQ(folder.read("p.hatchet"), "x");
}

TEST(OutputPath, ReplacesAFileWhole) {
  const TemporaryFolder folder;
  const OutputPath output(folder / "p");
  output.write(OutputFormat::kHatchet, "first and longer");
  output.write(OutputFormat::kHatchet, "second");
  output.write_part(2, OutputFormat::kHatchet, "part");
  EXPECT_EQ(folder.read("p.hatchet"), "second");
  EXPECT_EQ(folder.files(), std::set<std::string>({"p.hatchet", "p.part_2.hatchet"}));
}

TEST(OutputPath, RefusesADirectoryThatIsNotThere) {
  try {
    OutputPath("/nonexistent/p").require_writable(OutputFormat::kHatchet);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "[PROTON] Cannot write a profile to /nonexistent/p.hatchet: the directory "
                 "/nonexistent does not exist. Create it, or choose another name.");
  }
}

TEST(OutputPath, RefusesAFileThatIsADirectory) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "p.hatchet");
  EXPECT_THROW(OutputPath(folder / "p").require_writable(OutputFormat::kHatchet),
               std::invalid_argument);
}

TEST(OutputPath, AcceptsWhatCanBeWrittenAndLeavesNothing) {
  const TemporaryFolder folder;
  OutputPath(folder / "p").require_writable(OutputFormat::kHatchet);
  OutputPath("-").require_writable(OutputFormat::kHatchet);
  EXPECT_TRUE(folder.files().empty());
}

TEST(OutputPath, SaysWhenWritingFails) {
  const OutputPath output("/nonexistent/p");
  EXPECT_THROW(output.write(OutputFormat::kHatchet, "x"), std::runtime_error);
}

}  // namespace
}  // namespace proton_xpu
