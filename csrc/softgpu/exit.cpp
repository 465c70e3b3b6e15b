#include "softgpu/exit.h"

#include <sys/types.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "softgpu/program.h"
#include "softgpu/worker.h"

namespace softgpu {
namespace {

// Work that takes longer, or that waits for what nobody will signal, is given up; a kernel that is
// running then is still waited for.
constexpr std::uint64_t kPatienceNs = 5'000'000'000;
constexpr std::uint64_t kRunningKernelNs = 60'000'000'000;

pid_t owner = 0;

void finish_work() {
  // A forked child has none of the worker threads.
  if (getpid() != owner) return;
  const bool finished = Worker::drain_unless_stuck(kPatienceNs);
  Worker::cancel();
  if (!finished) Worker::drain(kRunningKernelNs);
}

}  // namespace

void register_exit_handler() {
  static const bool registered = [] {
    owner = getpid();
    std::atexit(finish_work);
    set_exit_handler(finish_work);
    return true;
  }();
  static_cast<void>(registered);
}

}  // namespace softgpu
