// Messages of the software device to stderr. PROTON_XPU_SOFTGPU_LOG: 0 only what the user must know
// (the default), 1 also calls that fail, 2 also every call.
#pragma once

#include <level_zero/ze_api.h>

#include <string>

namespace softgpu {

enum class LogLevel : int { kProblem = 0, kFailedCall = 1, kCall = 2 };

extern const LogLevel kLogLevel;

inline bool log_enabled(LogLevel level) { return level <= kLogLevel; }

/// One line, prefixed with "[softgpu] ".
void log(const std::string& text);

/// Logs a call of the API if the level asks for it.
void log_call(const char* name, ze_result_t result);

}  // namespace softgpu
