#include "softgpu/device_profile.h"

#include <gtest/gtest.h>
#include <level_zero/ze_api.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace softgpu {
namespace {

using Json = nlohmann::json;

Json shipped() {
  std::ifstream file(DeviceProfile::default_path());
  return Json::parse(file);
}

// Loads a profile from text; returns the message of the error.
std::string error_of(const std::string& text) {
  const std::string path = ::testing::TempDir() + "/profile.json";
  std::ofstream(path) << text;
  try {
    DeviceProfile::load(path);
  } catch (const std::runtime_error& error) {
    std::remove(path.c_str());
    const std::string message = error.what();
    EXPECT_NE(message.find(path), std::string::npos);
    return message;
  }
  std::remove(path.c_str());
  return "";
}

TEST(DeviceProfile, ShippedOneIsAMax1550AndSaysThatItIsSoftware) {
  const DeviceProfile profile = DeviceProfile::load(DeviceProfile::default_path());
  EXPECT_EQ(profile.name, "Intel Data Center GPU Max 1550 (software, proton_xpu softgpu)");
  EXPECT_EQ(profile.vendor_id, 0x8086U);
  EXPECT_EQ(profile.device_id, 0x0BD5U);
  EXPECT_EQ(profile.ip_version, 0x030F0007U);
  EXPECT_EQ(profile.driver_version, (1U << 24) | (6U << 16) | 33578U);
  EXPECT_EQ(profile.slices * profile.subslices_per_slice * profile.eus_per_subslice, 512U);
  EXPECT_EQ(profile.tiles, 1U);
  EXPECT_EQ(profile.core_clock_mhz, 1600U);
  EXPECT_EQ(profile.memory_bytes, 65520ULL << 20);
  EXPECT_EQ(profile.timer_hz, 1'000'000'000U);
  EXPECT_EQ(profile.sub_group_sizes, (std::vector<std::uint32_t>{16, 32}));
}

TEST(DeviceProfile, MissingFileIsNamed) {
  EXPECT_THROW(
      {
        try {
          DeviceProfile::load("/no/such/profile.json");
        } catch (const std::runtime_error& error) {
          EXPECT_STREQ(error.what(), "Cannot open the device profile /no/such/profile.json.");
          throw;
        }
      },
      std::runtime_error);
}

TEST(DeviceProfile, FaultsAreNamed) {
  EXPECT_NE(error_of("{").find("parse error"), std::string::npos);
  EXPECT_NE(error_of("{}").find("name"), std::string::npos);

  Json json = shipped();
  json["timer_hz"] = 0;
  EXPECT_NE(error_of(json.dump()).find("'timer_hz' is 0"), std::string::npos);

  json = shipped();
  json["ip_version"] = "new";
  EXPECT_NE(error_of(json.dump()).find("'ip_version' is not a version: new"), std::string::npos);

  json = shipped();
  json["tiles"] = 0;
  EXPECT_NE(error_of(json.dump()).find("'tiles' must be at least 1"), std::string::npos);

  json = shipped();
  json["sub_group_sizes"] = Json::array();
  EXPECT_NE(error_of(json.dump()).find("'sub_group_sizes'"), std::string::npos);

  json = shipped();
  json["queue_groups"] = Json::array();
  EXPECT_NE(error_of(json.dump()).find("'queue_groups' is empty"), std::string::npos);
  EXPECT_EQ(error_of(shipped().dump()), "");
}

}  // namespace
}  // namespace softgpu
