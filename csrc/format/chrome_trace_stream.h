// A Chrome trace on its way to disk.
#pragma once

#include <string>
#include <vector>

#include "data/device_facts.h"
#include "data/trace_data.h"
#include "format/chrome_trace_text.h"
#include "format/growing_file.h"
#include "format/profile_metadata.h"

namespace proton_xpu {

/// Appends each chunk to a file that holds one whole JSON object after every step, as far as the
/// system keeps a write together; otherwise it is to be cut at its last line break and closed with
/// "]}". Small traces touch no file before finish().
class ChromeTraceStream final : public TraceSink {
 public:
  /// Activities that are written with all their detail.
  static constexpr std::size_t kFullActivities = 8192;

  /// `path` empty: a file without a name, for what goes to the standard output in the end.
  ChromeTraceStream(std::string path, const ContextTree& contexts, TraceClock clock,
                    std::size_t full_activities = kFullActivities);

  /// Removes the file if what it holds was never finished: the trace was cleared.
  ~ChromeTraceStream() override;

  void write(TraceChunk chunk) noexcept override;

  /// Puts the end with what the profile says of itself. More chunks may follow, and another end.
  /// Throws std::runtime_error if this or an earlier step could not be written.
  void finish(const ProfileMetadata& metadata, const DeviceFactsProvider& device_facts);

  /// What finish() has put together.
  GrowingFile& file() { return file_; }

 private:
  std::string begin() const;
  std::string end(const ProfileMetadata* metadata, const DeviceFactsProvider* device_facts) const;

  const TraceClock clock_;
  ChromeTraceText text_;
  GrowingFile file_;
  bool is_empty_ = true;
  bool is_finished_ = false;
  std::string held_back_;  // The file's begin, until there is a file.
  std::string error_;
  std::vector<bool> has_device_;
};

}  // namespace proton_xpu
