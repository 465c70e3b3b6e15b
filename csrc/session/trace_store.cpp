#include <unistd.h>

#include <ctime>
#include <map>
#include <utility>

#include "context/errors.h"
#include "context/host_clock.h"
#include "data/trace_data.h"
#include "format/chrome_trace_stream.h"
#include "session/profile_store.h"

namespace proton_xpu {
namespace {

TraceClock clock_from_now() {
  timespec epoch{};
  const std::uint64_t before = host_now_ns();
  clock_gettime(CLOCK_REALTIME, &epoch);
  const std::uint64_t after = host_now_ns();
  return {before + (after - before) / 2, static_cast<std::uint64_t>(epoch.tv_sec) * 1'000'000'000u +
                                             static_cast<std::uint64_t>(epoch.tv_nsec)};
}

class TraceStore final : public ProfileStore {
 public:
  TraceStore(const ContextTree& contexts, const OutputPath& output,
             DeviceFactsProvider device_facts)
      : contexts_(contexts), output_(output), device_facts_(std::move(device_facts)) {}

  ProfileData& data() override { return data_; }

  std::string json(Phase) override { refuse("getData"); }
  std::string msgpack(Phase) override { refuse("getDataMsgPack"); }

  void write_part(Phase phase, OutputFormat, const ProfileMetadata& metadata) override {
    write_to(phase, output_.part(phase, OutputFormat::kChromeTrace), metadata);
  }

  void write(OutputFormat format, const ProfileMetadata& metadata) override {
    if (data_.phase() == 0) {
      write_to(0, output_.file(format), metadata);
      return;
    }
    for (const Phase phase : data_.held_phases()) {
      write_part(phase, format, metadata);
    }
  }

  void clear(Phase phase, bool up_to) override { data_.clear(phase, up_to); }

 private:
  [[noreturn]] static void refuse(const char* function) {
    throw_runtime_error(std::string("Only TreeData is supported for ") + function + "() for now");
  }

  std::unique_ptr<TraceSink> make_stream(Phase phase) const {
    const std::string path = phase == 0 ? output_.file(OutputFormat::kChromeTrace)
                                        : output_.part(phase, OutputFormat::kChromeTrace);
    return std::make_unique<ChromeTraceStream>(path, contexts_, clock_);
  }

  void write_to(Phase phase, const std::string& path, const ProfileMetadata& metadata) {
    auto& stream = static_cast<ChromeTraceStream&>(data_.drain(phase));
    stream.finish(metadata, device_facts_);
    if (path.empty()) {
      stream.file().copy_to(STDOUT_FILENO);
    } else {
      stream.file().move_to(path);
    }
  }

  const ContextTree& contexts_;
  const OutputPath& output_;
  const DeviceFactsProvider device_facts_;
  const TraceClock clock_ = clock_from_now();
  TraceData data_{[this](Phase phase) { return make_stream(phase); }};
};

}  // namespace

std::unique_ptr<ProfileStore> make_trace_store(const ContextTree& contexts,
                                               const OutputPath& output,
                                               DeviceFactsProvider device_facts) {
  return std::make_unique<TraceStore>(contexts, output, std::move(device_facts));
}

}  // namespace proton_xpu
