#include "softgpu/stamp.h"

#include <cstring>
#include <utility>

#include "softgpu/clock.h"
#include "softgpu/event.h"
#include "softgpu/worker.h"

namespace softgpu {
namespace {

class GlobalStamp : public Operation {
 public:
  explicit GlobalStamp(std::uint64_t* destination) : destination_(destination) {}

  std::string run(WorkerContext& context) const override {
    const std::uint64_t stamp = context.clock().global_stamp(context.start());
    std::memcpy(destination_, &stamp, sizeof(stamp));
    return "";
  }

 private:
  std::uint64_t* destination_;
};

// The query of known states; the one of events becomes this at submission.
class StateQuery : public Operation {
 public:
  StateQuery(std::vector<std::shared_ptr<EventState>> states, std::byte* destination,
             std::vector<std::size_t> offsets)
      : states_(std::move(states)), destination_(destination), offsets_(std::move(offsets)) {}

  std::string run(WorkerContext& context) const override {
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const auto stamps = kernel_stamps(*states_[i], context.clock());
      std::memcpy(destination_ + offsets_[i], &stamps, sizeof(stamps));
    }
    return "";
  }

 private:
  std::vector<std::shared_ptr<EventState>> states_;
  std::byte* destination_;
  std::vector<std::size_t> offsets_;
};

class EventQuery : public Operation {
 public:
  EventQuery(std::vector<std::shared_ptr<Event>> events, std::byte* destination,
             std::vector<std::size_t> offsets)
      : events_(std::move(events)), destination_(destination), offsets_(std::move(offsets)) {}

  std::string run(WorkerContext& context) const override { return at_submission()->run(context); }

  std::shared_ptr<const Operation> at_submission() const override {
    std::vector<std::shared_ptr<EventState>> states;
    for (const auto& event : events_) states.push_back(event->state());
    return std::make_shared<StateQuery>(std::move(states), destination_, offsets_);
  }

 private:
  std::vector<std::shared_ptr<Event>> events_;
  std::byte* destination_;
  std::vector<std::size_t> offsets_;
};

}  // namespace

ze_kernel_timestamp_result_t kernel_stamps(const EventState& state, const DeviceClock& clock) {
  ze_kernel_timestamp_result_t result{};
  result.global.kernelStart = clock.kernel_stamp(state.start());
  result.global.kernelEnd = clock.kernel_stamp(state.end());
  result.context = result.global;
  return result;
}

std::shared_ptr<const Operation> make_global_stamp(std::uint64_t* destination) {
  return std::make_shared<GlobalStamp>(destination);
}

std::shared_ptr<const Operation> make_kernel_stamp_query(std::vector<std::shared_ptr<Event>> events,
                                                         void* destination,
                                                         const std::size_t* offsets) {
  std::vector<std::size_t> places(events.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i] = offsets != nullptr ? offsets[i] : i * sizeof(ze_kernel_timestamp_result_t);
  }
  return std::make_shared<EventQuery>(std::move(events), static_cast<std::byte*>(destination),
                                      std::move(places));
}

}  // namespace softgpu
