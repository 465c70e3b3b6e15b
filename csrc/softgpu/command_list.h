// Command lists, immediate and recorded, and command queues.
#pragma once

#include <level_zero/ze_api.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "softgpu/command.h"
#include "softgpu/event.h"
#include "softgpu/handle.h"
#include "softgpu/worker.h"

namespace softgpu {

class Context;
class Device;

/// What an append call adds. A recorded list keeps it and turns it into commands at each execution.
struct Append {
  CommandKind kind = CommandKind::kBarrier;
  std::shared_ptr<const Operation> operation;
  std::shared_ptr<Event> event;  ///< To signal; kEventReset: to reset.
  std::vector<std::shared_ptr<Event>> waits;
};

class CommandList : public Object {
 public:
  static constexpr HandleKind kKind = HandleKind::kCommandList;

  struct Options {
    std::uint32_t ordinal = 0;
    std::uint32_t index = 0;  ///< Immediate lists only.
    ze_command_list_flags_t flags = 0;
    bool synchronous = false;  ///< Immediate lists only.
  };

  CommandList(std::shared_ptr<Context> context, std::shared_ptr<Device> device,
              const Options& options, bool immediate);
  ~CommandList() override;

  const Context& context() const { return *context_; }
  const Device& device() const { return *device_; }
  const Options& options() const { return options_; }
  bool immediate() const { return worker_ != nullptr; }
  bool closed() const { return closed_; }

  /// Appends an operation; null `operation` for what only orders and signals.
  ze_result_t append(CommandKind kind, std::shared_ptr<const Operation> operation,
                     ze_event_handle_t signal, std::uint32_t wait_count,
                     const ze_event_handle_t* waits);

  /// Immediate lists: runs recorded lists, after `waits` and before `signal`.
  ze_result_t append_lists(const std::vector<const CommandList*>& lists, ze_event_handle_t signal,
                           std::uint32_t wait_count, const ze_event_handle_t* waits);

  /// Immediate lists: waits until all appended work is done.
  ze_result_t synchronize(std::uint64_t timeout_ns) const;

  /// Recorded lists.
  ze_result_t close();
  ze_result_t reset();
  std::shared_ptr<CommandList> clone() const;

  /// Adds one execution of this list to `commands`.
  void submit_to(std::vector<Command>& commands) const;

 private:
  ze_result_t submit(std::vector<Command>&& commands);

  std::shared_ptr<Context> context_;
  std::shared_ptr<Device> device_;
  Options options_;
  std::shared_ptr<Worker> worker_;
  std::vector<Append> recorded_;
  bool closed_ = false;
};

class CommandQueue : public Object {
 public:
  static constexpr HandleKind kKind = HandleKind::kCommandQueue;

  CommandQueue(std::shared_ptr<Device> device, std::uint32_t ordinal, std::uint32_t index,
               bool synchronous);
  ~CommandQueue() override;

  std::uint32_t ordinal() const { return ordinal_; }
  std::uint32_t index() const { return index_; }

  /// Submits one execution of each list; signals `fence` (may be null) at the end.
  ze_result_t execute(const std::vector<const CommandList*>& lists, const Fence* fence);

  ze_result_t synchronize(std::uint64_t timeout_ns) const;

 private:
  std::shared_ptr<Device> device_;
  std::uint32_t ordinal_;
  std::uint32_t index_;
  bool synchronous_;
  std::shared_ptr<Worker> worker_;
};

/// Checks and resolves the handles of `count` recorded, closed lists for `execute`.
ze_result_t find_executable_lists(std::uint32_t count, const ze_command_list_handle_t* handles,
                                  std::uint32_t ordinal, std::vector<const CommandList*>& lists);

}  // namespace softgpu
