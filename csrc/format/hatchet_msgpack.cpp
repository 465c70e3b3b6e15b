#include "format/hatchet_msgpack.h"

#include <variant>
#include <vector>

#include "format/msgpack_writer.h"

namespace proton_xpu {
namespace {

struct PackValue {
  MsgpackWriter& pack;

  void operator()(std::uint64_t value) const { pack.unsigned_integer(value); }
  void operator()(std::int64_t value) const { pack.integer(value); }
  void operator()(double value) const { pack.real(value); }
  void operator()(bool value) const { pack.boolean(value); }
  void operator()(const std::string& value) const { pack.string(value); }
  template <typename Element>
  void operator()(const std::vector<Element>& values) const {
    pack.begin_array(static_cast<std::uint32_t>(values.size()));
    for (const Element value : values) {
      (*this)(value);
    }
  }
};

class HatchetMsgpack {
 public:
  HatchetMsgpack(const TreeSnapshot& tree, const ProfileMetadata* metadata, MsgpackWriter* pack)
      : tree_(tree), metadata_(metadata), pack_(*pack) {}

  void write_node(std::uint32_t index) {
    const SnapshotNode& node = tree_.nodes[index];
    const bool has_metadata = index == 0 && metadata_ != nullptr;
    pack_.begin_map(has_metadata ? 4 : 3);
    pack_.string("frame");
    pack_.begin_map(2);
    pack_.string("name");
    pack_.string(node.name);
    pack_.string("type");
    pack_.string("function");
    pack_.string("metrics");
    write_metrics(node, index == 0);
    pack_.string("children");
    write_children(node);
    if (has_metadata) {
      pack_.string(kMetadataKey);
      write_metadata();
    }
  }

  void write_devices(const DeviceFactsProvider& device_facts) {
    pack_.begin_map(tree_.devices.empty() ? 0 : 1);
    if (tree_.devices.empty()) {
      return;
    }
    pack_.string(kDeviceType);
    pack_.begin_map(static_cast<std::uint32_t>(tree_.devices.size()));
    for (const std::uint32_t device : tree_.devices) {
      const DeviceFacts facts = device_facts(device);
      pack_.string(std::to_string(device));
      pack_.begin_map(static_cast<std::uint32_t>(facts.size()));
      for (const auto& [name, fact] : facts) {
        pack_.string(name);
        std::visit(PackValue{pack_}, fact);
      }
    }
  }

 private:
  static bool is_empty_leaf(const SnapshotNode& node) {
    return node.children.empty() && node.row.count == 0 && node.metrics.empty();
  }

  void write_children(const SnapshotNode& node) {
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t child : node.children) {
      if (!is_empty_leaf(tree_.nodes[child])) {
        kept.push_back(child);
      }
    }
    pack_.begin_array(static_cast<std::uint32_t>(kept.size()));
    for (const std::uint32_t child : kept) {
      write_node(child);
    }
  }

  // A user's metric with the name of one of the kernel's own stands back, as it does in JSON.
  static bool is_kernel_metric(const std::string& name) {
    return name == "time (ns)" || name == "count" || name == "device_id" || name == "device_type";
  }

  void write_metrics(const SnapshotNode& node, bool is_root) {
    const bool has_kernels = node.row.count != 0;
    const bool shows_totals = has_kernels || (is_root && tree_.has_kernels);
    std::vector<const Metric*> user_metrics;
    for (const Metric& metric : node.metrics) {
      if (!shows_totals || !is_kernel_metric(metric.name)) {
        user_metrics.push_back(&metric);
      }
    }
    pack_.begin_map((shows_totals ? 2 : 0) + (has_kernels ? 2 : 0) +
                    static_cast<std::uint32_t>(user_metrics.size()));
    if (shows_totals) {
      pack_.string("time (ns)");
      pack_.unsigned_integer(node.row.time_ns);
      pack_.string("count");
      pack_.unsigned_integer(node.row.count);
    }
    if (has_kernels) {
      pack_.string("device_id");
      pack_.string(std::to_string(node.row.device));
      pack_.string("device_type");
      pack_.string(kDeviceType);
    }
    for (const Metric* metric : user_metrics) {
      pack_.string(metric->name);
      std::visit(PackValue{pack_}, metric->value);
    }
  }

  void write_metadata() {
    const auto entries = accounting_entries(metadata_->accounting);
    const TracerInfo& tracer = metadata_->tracer;
    pack_.begin_map(3);
    pack_.string("accounting");
    pack_.begin_map(static_cast<std::uint32_t>(entries.size()));
    for (const auto& [name, value] : entries) {
      pack_.string(name);
      pack_.unsigned_integer(value);
    }
    pack_.string("tracer");
    pack_.begin_map(4);
    pack_.string("backend");
    pack_.string(tracer.backend);
    pack_.string("library");
    pack_.string(tracer.library);
    pack_.string("notes");
    pack_.begin_array(static_cast<std::uint32_t>(tracer.notes.size()));
    for (const std::string& note : tracer.notes) {
      pack_.string(note);
    }
    pack_.string("version");
    pack_.string(tracer.version);
    pack_.string("version");
    pack_.string(metadata_->version);
  }

  const TreeSnapshot& tree_;
  const ProfileMetadata* metadata_;
  MsgpackWriter& pack_;
};

}  // namespace

std::string hatchet_msgpack(const TreeSnapshot& tree, const DeviceFactsProvider& device_facts,
                            const ProfileMetadata* metadata) {
  std::string bytes;
  MsgpackWriter pack(&bytes);
  HatchetMsgpack writer(tree, metadata, &pack);
  pack.begin_array(2);
  writer.write_node(0);
  writer.write_devices(device_facts);
  return bytes;
}

}  // namespace proton_xpu
