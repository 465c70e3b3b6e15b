#include "format/metadata_json.h"

#include <variant>

namespace proton_xpu {
namespace {

struct WriteFact {
  JsonWriter& json;

  void operator()(std::uint64_t value) const { json.number(value); }
  void operator()(double value) const { json.number(value); }
  void operator()(const std::string& value) const { json.value(value); }
  void operator()(bool value) const { json.value(value); }
};

void write_tracer(const TracerInfo& tracer, JsonWriter* json) {
  json->begin_object();
  json->key("backend");
  json->value(tracer.backend);
  json->key("library");
  json->value(tracer.library);
  json->key("notes");
  json->begin_array();
  for (const std::string& note : tracer.notes) {
    json->value(note);
  }
  json->end_array();
  json->key("version");
  json->value(tracer.version);
  json->end_object();
}

}  // namespace

void write_metadata_fields(const ProfileMetadata& metadata, JsonWriter* json) {
  json->key("accounting");
  json->begin_object();
  for (const auto& [name, value] : accounting_entries(metadata.accounting)) {
    json->key(name);
    json->number(value);
  }
  json->end_object();
  json->key("tracer");
  write_tracer(metadata.tracer, json);
  json->key("version");
  json->value(metadata.version);
}

void write_device_facts(const DeviceFacts& facts, JsonWriter* json) {
  json->begin_object();
  for (const auto& [name, fact] : facts) {
    json->key(name);
    std::visit(WriteFact{*json}, fact);
  }
  json->end_object();
}

}  // namespace proton_xpu
