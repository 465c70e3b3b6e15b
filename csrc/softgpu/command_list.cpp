#include "softgpu/command_list.h"

#include "softgpu/driver.h"
#include "softgpu/parking.h"
#include "softgpu/script.h"

namespace softgpu {
namespace {

ze_result_t check_waits(std::uint32_t count, const ze_event_handle_t* waits) {
  if (count > 0 && waits == nullptr) return ZE_RESULT_ERROR_INVALID_SIZE;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (find_object<Event>(waits[i]) == nullptr) return bad_handle(waits[i]);
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t check_events(ze_event_handle_t signal, std::uint32_t count,
                         const ze_event_handle_t* waits) {
  if (signal != nullptr && find_object<Event>(signal) == nullptr) return bad_handle(signal);
  return check_waits(count, waits);
}

Timing timing_of(CommandKind kind, const Operation* operation, const DeviceClock& clock) {
  Timing timing;
  Script& script = Script::instance();
  if (!script.scripted_clock()) return timing;
  timing.scripted = true;
  timing.submitted = clock.now();
  script.assign(kind, operation != nullptr ? operation->script_entries() : nullptr, timing);
  return timing;
}

// Waits must be added before this: an event may be waited for and signalled by one command.
void finish_command(Command& command, Event* event, const DeviceClock& clock) {
  command.timing = timing_of(command.kind, command.operation.get(), clock);
  if (command.operation != nullptr) {
    if (auto bound = command.operation->at_submission()) command.operation = std::move(bound);
  }
  if (event == nullptr) return;
  if (command.kind == CommandKind::kEventReset) {
    command.event = event->state();
    command.event->announce_device_reset();
  } else {
    command.event = event->state_to_signal();
  }
}

Command make_command(CommandKind kind, std::shared_ptr<const Operation> operation, Event* event,
                     std::uint32_t wait_count, const ze_event_handle_t* waits,
                     const DeviceClock& clock) {
  Command command;
  command.kind = kind;
  command.operation = std::move(operation);
  if (wait_count > 0) {
    command.waits.reserve(wait_count);
    for (std::uint32_t i = 0; i < wait_count; ++i) {
      command.waits.emplace_back(find_object<Event>(waits[i])->state());
    }
  }
  finish_command(command, event, clock);
  return command;
}

ze_result_t wait_for(const Worker& worker, std::uint64_t completed, std::uint64_t timeout_ns) {
  if (!worker.wait(completed, timeout_ns)) return ZE_RESULT_NOT_READY;
  return worker.failed() ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
}

}  // namespace

CommandList::CommandList(std::shared_ptr<Context> context, std::shared_ptr<Device> device,
                         const Options& options, bool immediate)
    : context_(std::move(context)), device_(std::move(device)), options_(options) {
  if (immediate) worker_ = Worker::create(device_->clock());
}

CommandList::~CommandList() {
  if (worker_) worker_->close();
}

ze_result_t CommandList::append(CommandKind kind, std::shared_ptr<const Operation> operation,
                                ze_event_handle_t signal, std::uint32_t wait_count,
                                const ze_event_handle_t* waits) {
  if (closed_) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  if (const ze_result_t result = check_events(signal, wait_count, waits);
      result != ZE_RESULT_SUCCESS) {
    return result;
  }
  if (immediate()) {
    Event* event = signal != nullptr ? find_object<Event>(signal) : nullptr;
    const std::uint64_t number = worker_->submit(
        make_command(kind, std::move(operation), event, wait_count, waits, worker_->clock()));
    if (!options_.synchronous) return ZE_RESULT_SUCCESS;
    return wait_for(*worker_, number, ParkingLot::kForever);
  }
  Append append{kind, std::move(operation), nullptr, {}};
  if (signal != nullptr) append.event = share_object<Event>(signal);
  for (std::uint32_t i = 0; i < wait_count; ++i) {
    append.waits.push_back(share_object<Event>(waits[i]));
  }
  recorded_.push_back(std::move(append));
  return ZE_RESULT_SUCCESS;
}

ze_result_t CommandList::append_lists(const std::vector<const CommandList*>& lists,
                                      ze_event_handle_t signal, std::uint32_t wait_count,
                                      const ze_event_handle_t* waits) {
  if (!immediate()) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  if (const ze_result_t result = check_events(signal, wait_count, waits);
      result != ZE_RESULT_SUCCESS) {
    return result;
  }
  const DeviceClock& clock = worker_->clock();
  std::vector<Command> commands;
  if (wait_count > 0) {
    commands.push_back(
        make_command(CommandKind::kBarrier, nullptr, nullptr, wait_count, waits, clock));
  }
  for (const CommandList* list : lists) list->submit_to(commands);
  if (signal != nullptr) {
    commands.push_back(
        make_command(CommandKind::kSignal, nullptr, find_object<Event>(signal), 0, nullptr, clock));
  }
  if (commands.empty()) return ZE_RESULT_SUCCESS;
  const std::uint64_t number = worker_->submit(std::move(commands));
  if (!options_.synchronous) return ZE_RESULT_SUCCESS;
  return wait_for(*worker_, number, ParkingLot::kForever);
}

ze_result_t CommandList::synchronize(std::uint64_t timeout_ns) const {
  if (!immediate()) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  return wait_for(*worker_, worker_->submitted(), timeout_ns);
}

ze_result_t CommandList::close() {
  if (immediate()) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  closed_ = true;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CommandList::reset() {
  if (immediate()) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  recorded_.clear();
  closed_ = false;
  return ZE_RESULT_SUCCESS;
}

std::shared_ptr<CommandList> CommandList::clone() const {
  auto copy = std::make_shared<CommandList>(context_, device_, options_, false);
  copy->recorded_ = recorded_;
  copy->closed_ = closed_;
  return copy;
}

void CommandList::submit_to(std::vector<Command>& commands) const {
  for (const Append& append : recorded_) {
    Command command;
    command.kind = append.kind;
    command.operation = append.operation;
    command.waits.reserve(append.waits.size());
    for (const auto& event : append.waits) command.waits.emplace_back(event->state());
    finish_command(command, append.event.get(), device_->clock());
    commands.push_back(std::move(command));
  }
}

CommandQueue::CommandQueue(std::shared_ptr<Device> device, std::uint32_t ordinal,
                           std::uint32_t index, bool synchronous)
    : device_(std::move(device)),
      ordinal_(ordinal),
      index_(index),
      synchronous_(synchronous),
      worker_(Worker::create(device_->clock())) {}

CommandQueue::~CommandQueue() { worker_->close(); }

ze_result_t CommandQueue::execute(const std::vector<const CommandList*>& lists,
                                  const Fence* fence) {
  std::vector<Command> commands;
  for (const CommandList* list : lists) list->submit_to(commands);
  if (fence != nullptr) {
    Command command;
    command.kind = CommandKind::kBarrier;
    command.timing = timing_of(command.kind, nullptr, device_->clock());
    command.event = fence->state();
    commands.push_back(std::move(command));
  }
  if (commands.empty()) return ZE_RESULT_SUCCESS;
  const std::uint64_t number = worker_->submit(std::move(commands));
  if (!synchronous_) return ZE_RESULT_SUCCESS;
  return wait_for(*worker_, number, ParkingLot::kForever);
}

ze_result_t CommandQueue::synchronize(std::uint64_t timeout_ns) const {
  return wait_for(*worker_, worker_->submitted(), timeout_ns);
}

ze_result_t find_executable_lists(std::uint32_t count, const ze_command_list_handle_t* handles,
                                  std::uint32_t ordinal, std::vector<const CommandList*>& lists) {
  if (count == 0) return ZE_RESULT_ERROR_INVALID_SIZE;
  SOFTGPU_REQUIRE_POINTER(handles);
  for (std::uint32_t i = 0; i < count; ++i) {
    SOFTGPU_FIND(CommandList, list, handles[i]);
    if (list->immediate() || list->options().ordinal != ordinal) {
      return ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE;
    }
    if (!list->closed()) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    lists.push_back(list);
  }
  return ZE_RESULT_SUCCESS;
}

}  // namespace softgpu
