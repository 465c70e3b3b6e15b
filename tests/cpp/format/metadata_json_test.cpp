#include "format/metadata_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace proton_xpu {
namespace {

TEST(MetadataJson, HasTheCountersAndTheTracer) {
  ProfileMetadata metadata;
  metadata.version = "1.2";
  metadata.accounting.launches = 3;
  metadata.accounting.kernels = 2;
  metadata.tracer = {"xpupti", "libpti_view.so", "1.2.0", {"A note."}};
  std::string text;
  JsonWriter json(false, &text);
  json.begin_object();
  write_metadata_fields(metadata, &json);
  json.end_object();
  const nlohmann::json read = nlohmann::json::parse(text);
  EXPECT_EQ(read["version"], "1.2");
  EXPECT_EQ(read["accounting"]["launches"], 3);
  EXPECT_EQ(read["accounting"]["pending"], 1);
  EXPECT_EQ(read["tracer"],
            nlohmann::json::parse(R"({"backend": "xpupti", "library": "libpti_view.so",
                                      "version": "1.2.0", "notes": ["A note."]})"));
}

TEST(MetadataJson, HasFactsOfEachType) {
  std::string text;
  JsonWriter json(false, &text);
  write_device_facts({{"arch", std::string("pvc")},
                      {"clock", 1.5},
                      {"integrated", false},
                      {"num_sms", std::uint64_t{64}}},
                     &json);
  EXPECT_EQ(text, R"({"arch":"pvc","clock":1.5,"integrated":false,"num_sms":64})");
}

}  // namespace
}  // namespace proton_xpu
