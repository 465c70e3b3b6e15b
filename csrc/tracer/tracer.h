// The contract between a tracer (what sees the GPU work of a process) and the session core (what
// attributes it). Nothing here knows of PTI, Level Zero, Python or files.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace proton_xpu {

enum class ActivityKind : std::uint8_t { kKernel, kCopy, kFill };

enum class CopyDirection : std::uint8_t {
  kUnknown,
  kHostToDevice,
  kDeviceToHost,
  kDeviceToDevice,
  kPeerToPeer,
  kHostToHost,
  kShared
};

/// One GPU operation, seen on the host while it is appended, on the launching thread.
struct Launch {
  std::uint64_t correlation_id;  ///< Unique while the tracer runs; 0 is never used.
  ActivityKind kind;
  /// Appended to a regular command list: it runs once in each execution of the list, so any number
  /// of activities, none included, carry its id, and one without any is not lost.
  bool deferred;
};

/// One GPU operation that the device has finished.
struct Activity {
  std::uint64_t correlation_id;  ///< That of its launch.
  ActivityKind kind;
  CopyDirection direction;  ///< Copies only.
  const char* name;         ///< As the driver gives it, possibly mangled. Valid during the call.
  std::uint32_t device;     ///< Index into the table of csrc/device.
  std::uint64_t queue;      ///< Stable number of the queue or immediate command list.
  std::uint32_t thread_id;  ///< Operating system's id of the launching thread.
  std::uint64_t append_ns;  ///< Host time of the append, CLOCK_MONOTONIC_RAW.
  std::uint64_t start_ns;   ///< Device start on the same clock.
  std::uint64_t end_ns;     ///< start_ns plus the duration taken from device ticks.
  std::uint64_t bytes;      ///< Copies and fills only.
};

/// Why a launch has no usable record. Each is a counter in the profile's metadata.
enum class LossReason : std::uint8_t {
  kNoRecord,       ///< The record had not come when the flush deadline passed.
  kNoTimestamp,    ///< The record came without start or end.
  kBadTimestamp,   ///< end < start.
  kBufferDropped,  ///< The tracing library reported a dropped buffer.
  kCount
};

/// Receives what a tracer sees. Implemented by the session core; no member throws.
class Sink {
 public:
  virtual ~Sink() = default;

  /// On the launching thread, inside the append call. Allocates nothing, takes no global lock.
  virtual void on_launch(const Launch& launch) noexcept = 0;

  /// On the tracer's own thread, or on the thread that flushes; never on two at once.
  virtual void on_activities(const Activity* activities, std::size_t count) noexcept = 0;

  /// A launch whose record is unusable. Same threads as on_activities.
  virtual void on_loss(std::uint64_t correlation_id, LossReason reason) noexcept = 0;
};

/// What a tracer is and uses, for the profile's metadata and for `proton-xpu doctor`.
struct TracerInfo {
  std::string backend;             ///< "xpupti" or "level_zero".
  std::string library;             ///< Path of the tracing library that was loaded.
  std::string version;             ///< Its version.
  std::vector<std::string> notes;  ///< Settings and findings worth knowing, one sentence each.
};

/// Sees all GPU work of the process between start and stop. start and stop may alternate; all
/// members are called under the session core's lock, so never concurrently.
class Tracer {
 public:
  virtual ~Tracer() = default;

  /// Begins to report to `sink`, which outlives the tracer.
  /// Throws std::runtime_error with one sentence that says what is missing and what to do.
  virtual void start(Sink& sink) = 0;

  /// Delivers the activities of all launches reported so far. Returns false if some had not come
  /// after `patience` without any progress.
  virtual bool flush(std::chrono::milliseconds patience) = 0;

  /// Flushes and ends reporting. Never throws.
  virtual void stop() noexcept = 0;

  virtual TracerInfo info() const = 0;
};

}  // namespace proton_xpu
