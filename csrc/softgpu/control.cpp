#include "softgpu/control.h"

#include <array>
#include <cstring>

#include "softgpu/script.h"
#include "softgpu/worker.h"

namespace {

using softgpu::CommandKind;
using softgpu::Script;

constexpr std::uint32_t kControlVersion = 1;

struct NamedKind {
  const char* name;
  CommandKind kind;
};

constexpr std::array<NamedKind, 5> kKinds{{{"kernel", CommandKind::kKernel},
                                           {"copy", CommandKind::kCopy},
                                           {"fill", CommandKind::kFill},
                                           {"barrier", CommandKind::kBarrier},
                                           {"signal", CommandKind::kSignal}}};

// No exception may leave a C function; the only one here is that memory has run out.
template <typename Action>
int guarded(Action action) noexcept {
  try {
    return action();
  } catch (...) {
    return -1;
  }
}

}  // namespace

extern "C" {

uint32_t softgpu_control_version(void) { return kControlVersion; }

int softgpu_set_clock(softgpu_clock clock) {
  if (clock != SOFTGPU_CLOCK_REAL && clock != SOFTGPU_CLOCK_SCRIPTED) return -1;
  Script::instance().set_scripted_clock(clock == SOFTGPU_CLOCK_SCRIPTED);
  return 0;
}

int softgpu_set_execution(int enabled) {
  if (enabled != 0 && enabled != 1) return -1;
  Script::instance().set_execution(enabled == 1);
  return 0;
}

int softgpu_script_push(const char* kernel, uint64_t delay, uint64_t duration, uint64_t repeat) {
  if (repeat == 0) return -1;
  return guarded([&] {
    Script& script = Script::instance();
    script.push(kernel != nullptr ? script.entries_of(kernel) : script.entries_of_any_kernel(),
                {delay, duration, repeat});
    return 0;
  });
}

int softgpu_script_clear(void) {
  return guarded([] {
    Script::instance().clear();
    return 0;
  });
}

int softgpu_get_count(const char* kind, uint64_t* count) {
  if (kind == nullptr || count == nullptr) return -1;
  for (const NamedKind& entry : kKinds) {
    if (std::strcmp(entry.name, kind) == 0) {
      *count = Script::instance().count_of(entry.kind);
      return 0;
    }
  }
  return -1;
}

int softgpu_drain(uint64_t timeout_ns) {
  return guarded([&] { return softgpu::Worker::drain(timeout_ns) ? 0 : -1; });
}

}  // extern "C"
