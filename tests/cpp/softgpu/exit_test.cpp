#include "softgpu/exit.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

namespace softgpu {
namespace {

// Exit code and output of the helper program.
std::pair<int, std::string> run(const std::string& how) {
  // NOLINTNEXTLINE(bugprone-command-processor): the command is our own, and has no input.
  FILE* pipe = popen((std::string(EXIT_APP) + " " + how + " 2>&1").c_str(), "r");
  EXPECT_NE(pipe, nullptr);
  std::string output;
  std::array<char, 256> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) output += buffer.data();
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

using Result = std::pair<int, std::string>;

TEST(Exit, FinishesTheWorkInFlight) { EXPECT_EQ(run("return"), Result(0, "50 of 50\n")); }

TEST(Exit, KeepsTheExitCode) { EXPECT_EQ(run("exit"), Result(3, "50 of 50\n")); }

TEST(Exit, FinishesTheWorkOfDestroyedLists) { EXPECT_EQ(run("destroy"), Result(0, "50 of 50\n")); }

TEST(Exit, GivesUpWorkThatWaitsForAnEventThatNeverComes) {
  EXPECT_EQ(run("blocked"), Result(0, "0 of 50\n"));
}

TEST(Exit, LeavesAtOnceIfTold) { EXPECT_EQ(run("quick"), Result(0, "")); }

TEST(Exit, ForkedChildDoesNotWaitForTheParentsWork) {
  // LeakSanitizer cannot look for leaks in the forked child of a process with threads: their stacks
  // are no roots there, and it waits for them.
  setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
  const auto [code, output] = run("fork");
  EXPECT_EQ(code, 0);
  EXPECT_NE(output.find("child 0\n"), std::string::npos);
  EXPECT_NE(output.find("50 of 50\n"), std::string::npos);
}

}  // namespace
}  // namespace softgpu
