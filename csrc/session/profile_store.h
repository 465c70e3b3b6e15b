// What a session holds, and how that is written: a tree or a trace.
#pragma once

#include <memory>
#include <string>

#include "context/context_tree.h"
#include "data/device_facts.h"
#include "data/profile_data.h"
#include "format/profile_metadata.h"
#include "session/output_path.h"
#include "session/session_options.h"

namespace proton_xpu {

/// Used under its session's lock.
class ProfileStore {
 public:
  virtual ~ProfileStore() = default;

  virtual ProfileData& data() = 0;

  /// One phase in Proton's own shape. Throws std::runtime_error if this is no tree,
  /// std::out_of_range if the phase holds nothing.
  virtual std::string json(Phase phase) = 0;
  virtual std::string msgpack(Phase phase) = 0;

  /// Writes one phase to a file of its own. Throws std::runtime_error.
  virtual void write_part(Phase phase, OutputFormat format, const ProfileMetadata& metadata) = 0;

  /// Writes all: one file, or a file for each phase if it ever advanced. Throws
  /// std::runtime_error.
  virtual void write(OutputFormat format, const ProfileMetadata& metadata) = 0;

  /// Forgets phases whose files are complete.
  virtual void clear(Phase phase, bool up_to) = 0;
};

/// `contexts` and `output` outlive the store.
std::unique_ptr<ProfileStore> make_tree_store(const ContextTree& contexts, const OutputPath& output,
                                              DeviceFactsProvider device_facts);
std::unique_ptr<ProfileStore> make_trace_store(const ContextTree& contexts,
                                               const OutputPath& output,
                                               DeviceFactsProvider device_facts);

}  // namespace proton_xpu
