#include <utility>

#include "data/tree_data.h"
#include "format/hatchet_json.h"
#include "format/hatchet_msgpack.h"
#include "session/profile_store.h"

namespace proton_xpu {
namespace {

// Indented as Proton's, a file is three times as large. Nobody reads that of a large tree.
constexpr std::size_t kIndentedNodes = 500;

class TreeStore final : public ProfileStore {
 public:
  TreeStore(const ContextTree& contexts, const OutputPath& output, DeviceFactsProvider device_facts)
      : data_(contexts), output_(output), device_facts_(std::move(device_facts)) {}

  ProfileData& data() override { return data_; }

  std::string json(Phase phase) override {
    return hatchet_json(data_.snapshot(phase), device_facts_, nullptr, JsonLayout::kCompact);
  }

  std::string msgpack(Phase phase) override {
    return hatchet_msgpack(data_.snapshot(phase), device_facts_, nullptr);
  }

  void write_part(Phase phase, OutputFormat format, const ProfileMetadata& metadata) override {
    output_.write_part(phase, format, content(phase, format, metadata));
  }

  void write(OutputFormat format, const ProfileMetadata& metadata) override {
    if (data_.phase() == 0) {
      output_.write(format, content(0, format, metadata));
      return;
    }
    for (const Phase phase : data_.held_phases()) {
      write_part(phase, format, metadata);
    }
  }

  void clear(Phase phase, bool up_to) override { data_.clear(phase, up_to); }

 private:
  std::string content(Phase phase, OutputFormat format, const ProfileMetadata& metadata) const {
    const TreeSnapshot snapshot = data_.snapshot(phase);
    if (format == OutputFormat::kHatchetMsgpack) {
      return hatchet_msgpack(snapshot, device_facts_, &metadata);
    }
    return hatchet_json(
        snapshot, device_facts_, &metadata,
        snapshot.nodes.size() > kIndentedNodes ? JsonLayout::kCompact : JsonLayout::kIndented);
  }

  TreeData data_;
  const OutputPath& output_;
  const DeviceFactsProvider device_facts_;
};

}  // namespace

std::unique_ptr<ProfileStore> make_tree_store(const ContextTree& contexts, const OutputPath& output,
                                              DeviceFactsProvider device_facts) {
  return std::make_unique<TreeStore>(contexts, output, std::move(device_facts));
}

}  // namespace proton_xpu
