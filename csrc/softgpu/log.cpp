#include "softgpu/log.h"

#include <cstdio>
#include <cstdlib>

namespace softgpu {
namespace {

LogLevel read_level() {
  const char* text = std::getenv("PROTON_XPU_SOFTGPU_LOG");
  if (text == nullptr) return LogLevel::kProblem;
  const int level = std::atoi(text);
  if (level <= 0) return LogLevel::kProblem;
  return level == 1 ? LogLevel::kFailedCall : LogLevel::kCall;
}

}  // namespace

const LogLevel kLogLevel = read_level();

void log(const std::string& text) { std::fprintf(stderr, "[softgpu] %s\n", text.c_str()); }

void log_call(const char* name, ze_result_t result) {
  const bool failed = result != ZE_RESULT_SUCCESS && result != ZE_RESULT_NOT_READY;
  if (!log_enabled(failed ? LogLevel::kFailedCall : LogLevel::kCall)) return;
  std::fprintf(stderr, "[softgpu] %s -> 0x%x\n", name, static_cast<unsigned>(result));
}

}  // namespace softgpu
