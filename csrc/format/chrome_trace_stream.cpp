#include "format/chrome_trace_stream.h"

#include <exception>
#include <utility>

#include "context/errors.h"
#include "format/json_writer.h"
#include "format/metadata_json.h"

namespace proton_xpu {

ChromeTraceStream::ChromeTraceStream(std::string path, const ContextTree& contexts,
                                     TraceClock clock, std::size_t full_activities)
    : clock_(clock), text_(contexts, clock, full_activities), file_(std::move(path)) {}

ChromeTraceStream::~ChromeTraceStream() {
  if (!is_finished_) {
    file_.discard();
  }
}

std::string ChromeTraceStream::begin() const {
  std::string text = "{";
  if (!is_empty_) {
    text += "\"baseTimeNanoseconds\":";
    append_json_number(clock_.base_epoch_ns, &text);
    text += ',';
  }
  return text + "\"displayTimeUnit\":\"us\",\"traceEvents\":[";
}

std::string ChromeTraceStream::end(const ProfileMetadata* metadata,
                                   const DeviceFactsProvider* device_facts) const {
  std::string text = "]";
  const std::string frames = text_.stack_frames();
  if (!frames.empty()) {
    text += ",\"stackFrames\":" + frames;
  }
  if (metadata != nullptr) {
    text += ",\"";
    text += kMetadataKey;
    text += "\":";
    JsonWriter json(false, &text);
    json.begin_object();
    write_metadata_fields(*metadata, &json);
    json.key("devices");
    json.begin_object();
    for (std::size_t device = 0; device < has_device_.size(); ++device) {
      if (has_device_[device]) {
        json.key(std::to_string(device));
        write_device_facts((*device_facts)(static_cast<std::uint32_t>(device)), &json);
      }
    }
    json.end_object();
    json.end_object();
  }
  return text + "}\n";
}

// The first chunk waits for a second one or for the end, so that a small trace is written once.
void ChromeTraceStream::write(TraceChunk chunk) noexcept {
  is_finished_ = false;
  try {
    for (const ActivitySlice& activity : chunk.activities) {
      if (activity.device >= has_device_.size()) {
        has_device_.resize(activity.device + 1);
      }
      has_device_[activity.device] = true;
    }
    const std::string events = text_.events(std::move(chunk));
    if (is_empty_) {
      is_empty_ = false;
      held_back_ = begin() + events;
    } else {
      file_.step(std::exchange(held_back_, std::string()) + events, end(nullptr, nullptr));
    }
  } catch (const std::exception& error) {
    error_ = error.what();
  }
}

void ChromeTraceStream::finish(const ProfileMetadata& metadata,
                               const DeviceFactsProvider& device_facts) {
  if (!error_.empty()) {
    throw_runtime_error(error_);
  }
  const std::string rest = end(&metadata, &device_facts);
  if (is_empty_) {
    file_.step("", begin() + rest);
  } else {
    file_.step(std::exchange(held_back_, std::string()), rest);
  }
  is_finished_ = true;
}

}  // namespace proton_xpu
