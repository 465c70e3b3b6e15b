// Control interface of the software Level Zero driver: how a test, or the Python package through
// ctypes, tells the device what to do. Plain C; the functions are exported by the driver library
// that the Level Zero loader has loaded, so open that same file to reach the same state.
// Every function returns 0, or -1 if an argument is wrong. All are thread-safe.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SOFTGPU_API __attribute__((visibility("default")))

// Under the scripted clock a command starts when its host call was made, when the command before it
// on its queue ended or when the events it waits for ended, whichever is last, plus its delay; it
// ends after its duration, to the tick. Nothing sleeps, so stamps may lie ahead of the host's
// clock; the host sees the event as soon as the command has been handled. PTI takes such stamps,
// and its durations are exact; but its start times wrap if they are more than 18 s ahead (2^64 /
// 10^9 ticks).
typedef enum softgpu_clock {
  SOFTGPU_CLOCK_REAL = 0,     // kernels take the time that the CPU needs
  SOFTGPU_CLOCK_SCRIPTED = 1  // kernels take the time that they are told
} softgpu_clock;

SOFTGPU_API uint32_t softgpu_control_version(void);  // 1

SOFTGPU_API int softgpu_set_clock(softgpu_clock clock);

// 0: kernels, copies and fills are accepted, ordered and stamped, but not executed.
SOFTGPU_API int softgpu_set_execution(int enabled);

// The next `repeat` launches of `kernel` (NULL: of any kernel without entries of its own) start
// `delay` ticks after they could and last `duration` ticks. Entries are used in the order pushed.
// repeat = UINT64_MAX: all later launches.
SOFTGPU_API int softgpu_script_push(const char* kernel, uint64_t delay, uint64_t duration,
                                    uint64_t repeat);

// Forgets all entries; kernels without an entry then last 1000 ticks, copies and fills 100.
SOFTGPU_API int softgpu_script_clear(void);

// Number of operations executed so far, by kind: "kernel", "copy", "fill", "barrier", "signal".
SOFTGPU_API int softgpu_get_count(const char* kind, uint64_t* count);

// Waits until nothing is queued on any device. -1 after `timeout_ns`.
SOFTGPU_API int softgpu_drain(uint64_t timeout_ns);

#ifdef __cplusplus
}
#endif
