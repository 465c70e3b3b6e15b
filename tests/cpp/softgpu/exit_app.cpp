// Ends a process in one of several ways while commands are in flight. Prints what ran.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "softgpu/command_list.h"
#include "softgpu/driver.h"
#include "softgpu/kernel.h"
#include "softgpu/soft_device.h"

namespace {

using softgpu::testing::Callback;
using softgpu::testing::ze;

constexpr int kLaunches = 50;
std::atomic<int> runs{0};

void work(void*) {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  runs.fetch_add(1);
}

// Runs after the driver's own exit handler, which was registered later.
void print_runs() { std::printf("%d of %d\n", runs.load(), kLaunches); }

class App : public softgpu::testing::SoftDevice {
 public:
  void TestBody() override {}

  int run(const std::string& how) {
    std::atexit(print_runs);
    SetUp();
    const auto list = immediate_list();
    auto never = event();
    if (how == "blocked") ze().CommandList.pfnAppendWaitOnEvents(list, 1, &never);
    const auto kernel = call(work, nullptr);
    for (int i = 0; i < kLaunches; ++i) launch(list, kernel);
    if (how == "destroy") ze().CommandList.pfnDestroy(list);
    if (how == "fork") {
      const pid_t child = fork();
      if (child == 0) std::exit(0);
      int status = 0;
      waitpid(child, &status, 0);
      std::printf("child %d\n", status);
    }
    if (how == "quick") std::_Exit(0);
    if (how == "exit") std::exit(3);
    return 0;
  }
};

}  // namespace

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return App().run(argc > 1 ? argv[1] : "return");
}
