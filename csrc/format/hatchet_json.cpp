#include "format/hatchet_json.h"

#include <map>
#include <variant>

#include "format/json_writer.h"
#include "format/metadata_json.h"

namespace proton_xpu {
namespace {

struct JsonMetricValue {
  JsonWriter& json;

  void operator()(std::int64_t value) const { json.number(value); }
  void operator()(double value) const { json.number(value); }
  template <typename Element>
  void operator()(const std::vector<Element>& values) const {
    json.begin_array();
    for (const Element value : values) {
      json.number(value);
    }
    json.end_array();
  }
};

class HatchetJson {
 public:
  HatchetJson(const TreeSnapshot& tree, const ProfileMetadata* metadata, JsonWriter* json)
      : tree_(tree), metadata_(metadata), json_(*json) {}

  // Keys are in alphabetical order throughout, as Proton's are.
  void write_node(std::uint32_t index) {
    const SnapshotNode& node = tree_.nodes[index];
    json_.begin_object();
    json_.key("children");
    json_.begin_array();
    for (const std::uint32_t child : node.children) {
      write_node(child);
    }
    json_.end_array();
    json_.key("frame");
    json_.begin_object();
    json_.key("name");
    json_.value(node.name);
    json_.key("type");
    json_.value("function");
    json_.end_object();
    json_.key("metrics");
    write_metrics(node, index == 0);
    if (index == 0 && metadata_ != nullptr) {
      json_.key(kMetadataKey);
      json_.begin_object();
      write_metadata_fields(*metadata_, &json_);
      json_.end_object();
    }
    json_.end_object();
  }

  void write_devices(const DeviceFactsProvider& device_facts) {
    json_.begin_object();
    if (!tree_.devices.empty()) {
      json_.key(kDeviceType);
      json_.begin_object();
      for (const std::uint32_t device : tree_.devices) {
        json_.key(std::to_string(device));
        write_device_facts(device_facts(device), &json_);
      }
      json_.end_object();
    }
    json_.end_object();
  }

 private:
  void write_metrics(const SnapshotNode& node, bool is_root) {
    // The root lists zeros for what its kernels have: hatchet takes the metrics' names from there.
    const bool shows_kernel_metrics = node.row.count != 0 || (is_root && tree_.has_kernels);
    std::map<std::string_view, const MetricValue*> metrics;
    if (shows_kernel_metrics) {
      metrics = {{"count", nullptr}, {"time (ns)", nullptr}};
      if (node.row.count != 0) {
        metrics.insert({{"device_id", nullptr}, {"device_type", nullptr}});
      }
    }
    for (const Metric& metric : node.metrics) {
      metrics.emplace(metric.name, &metric.value);
    }
    json_.begin_object();
    for (const auto& [name, value] : metrics) {
      json_.key(name);
      if (value != nullptr) {
        std::visit(JsonMetricValue{json_}, *value);
      } else if (name == "count") {
        json_.number(node.row.count);
      } else if (name == "time (ns)") {
        json_.number(node.row.time_ns);
      } else if (name == "device_id") {
        json_.value(std::to_string(node.row.device));
      } else {
        json_.value(kDeviceType);
      }
    }
    json_.end_object();
  }

  const TreeSnapshot& tree_;
  const ProfileMetadata* metadata_;
  JsonWriter& json_;
};

}  // namespace

std::string hatchet_json(const TreeSnapshot& tree, const DeviceFactsProvider& device_facts,
                         const ProfileMetadata* metadata, JsonLayout layout) {
  const bool indented = layout == JsonLayout::kIndented;
  std::string text;
  if (indented) {
    text += '\n';
  }
  JsonWriter json(indented, &text);
  HatchetJson writer(tree, metadata, &json);
  json.begin_array();
  writer.write_node(0);
  writer.write_devices(device_facts);
  json.end_array();
  if (indented) {
    text += '\n';
  }
  return text;
}

}  // namespace proton_xpu
