// One entry of a queue, ready to run: what to do, what to wait for, what to signal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "softgpu/event_state.h"

namespace softgpu {

class ScriptEntries;
class WorkerContext;

enum class CommandKind : std::uint8_t {
  kKernel,
  kCopy,
  kFill,
  kBarrier,
  kSignal,
  kWait,
  kEventReset,
  kStamp
};
inline constexpr std::size_t kCommandKinds = 8;

/// When a command runs under the scripted clock, in device ticks.
struct Timing {
  bool scripted = false;
  std::uint64_t submitted = 0;
  std::uint64_t delay = 0;
  std::uint64_t duration = 0;
};

/// The action of a command; shared by all submissions of the same recorded command.
class Operation {
 public:
  virtual ~Operation() = default;

  /// Runs on the worker's thread. Returns an error text, empty if all is well.
  virtual std::string run(WorkerContext& context) const = 0;

  /// The entries of the scripted clock for a kernel launch, else null.
  virtual ScriptEntries* script_entries() const { return nullptr; }

  /// The operation with all that depends on the moment of submission; null: the operation itself.
  virtual std::shared_ptr<const Operation> at_submission() const { return nullptr; }
};

struct Command {
  CommandKind kind = CommandKind::kBarrier;
  Timing timing;
  std::shared_ptr<const Operation> operation;  ///< Null: nothing to do but order and signal.
  std::shared_ptr<EventState> event;           ///< To signal at the end; kEventReset: to reset.
  std::vector<EventWait> waits;
};

}  // namespace softgpu
