#include "softgpu/device_profile.h"

#include <dlfcn.h>
#include <level_zero/ze_api.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace softgpu {
namespace {

using Json = nlohmann::json;

// Hexadecimal ids are strings in the file, as JSON has no hexadecimal numbers.
std::uint32_t read_id(const Json& json, const char* key) {
  return static_cast<std::uint32_t>(std::stoul(json.at(key).get<std::string>(), nullptr, 16));
}

std::array<std::uint32_t, 3> read_version(const Json& json, const char* key) {
  const auto text = json.at(key).get<std::string>();
  std::array<std::uint32_t, 3> parts{};
  if (std::sscanf(text.c_str(), "%u.%u.%u", &parts[0], &parts[1], &parts[2]) < 2) {
    throw std::invalid_argument(std::string("'") + key + "' is not a version: " + text);
  }
  return parts;
}

DeviceProfile parse(const Json& json) {
  DeviceProfile profile;
  json.at("name").get_to(profile.name);
  profile.vendor_id = read_id(json, "vendor_id");
  profile.device_id = read_id(json, "device_id");
  const auto ip = read_version(json, "ip_version");
  profile.ip_version = ip[0] << 22 | ip[1] << 14 | ip[2];
  const auto api = read_version(json, "api_version");
  profile.api_version = ZE_MAKE_VERSION(api[0], api[1]);
  const auto driver = read_version(json, "driver_version");
  profile.driver_version = driver[0] << 24 | driver[1] << 16 | driver[2];

  json.at("devices").get_to(profile.devices);
  json.at("tiles").get_to(profile.tiles);
  json.at("slices").get_to(profile.slices);
  json.at("subslices_per_slice").get_to(profile.subslices_per_slice);
  json.at("eus_per_subslice").get_to(profile.eus_per_subslice);
  json.at("threads_per_eu").get_to(profile.threads_per_eu);
  json.at("eu_simd_width").get_to(profile.eu_simd_width);
  json.at("core_clock_mhz").get_to(profile.core_clock_mhz);
  json.at("integrated").get_to(profile.integrated);
  for (const Json& group : json.at("queue_groups")) {
    profile.queue_groups.push_back({group.at("compute").get<bool>(), group.at("copy").get<bool>(),
                                    group.at("queues").get<std::uint32_t>()});
  }

  json.at("timer_hz").get_to(profile.timer_hz);
  json.at("timestamp_valid_bits").get_to(profile.timestamp_valid_bits);
  json.at("kernel_timestamp_valid_bits").get_to(profile.kernel_timestamp_valid_bits);

  json.at("memory_name").get_to(profile.memory_name);
  json.at("memory_bytes").get_to(profile.memory_bytes);
  json.at("max_allocation_bytes").get_to(profile.max_allocation_bytes);
  json.at("memory_clock_mhz").get_to(profile.memory_clock_mhz);
  json.at("memory_bus_width").get_to(profile.memory_bus_width);
  json.at("cache_bytes").get_to(profile.cache_bytes);

  json.at("max_group_size").get_to(profile.max_group_size);
  json.at("sub_group_sizes").get_to(profile.sub_group_sizes);
  json.at("shared_local_memory_bytes").get_to(profile.shared_local_memory_bytes);
  json.at("fp64").get_to(profile.fp64);
  json.at("pci").get_to(profile.pci);

  if (profile.timer_hz == 0) throw std::invalid_argument("'timer_hz' is 0");
  if (profile.devices == 0 || profile.tiles == 0) {
    throw std::invalid_argument("'devices' and 'tiles' must be at least 1");
  }
  if (profile.sub_group_sizes.empty() || profile.sub_group_sizes.size() > ZE_SUBGROUPSIZE_COUNT) {
    throw std::invalid_argument("'sub_group_sizes' must have 1 to 8 entries");
  }
  if (profile.queue_groups.empty()) throw std::invalid_argument("'queue_groups' is empty");
  return profile;
}

}  // namespace

DeviceProfile DeviceProfile::load(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("Cannot open the device profile " + path + ".");
  try {
    return parse(Json::parse(file));
  } catch (const std::exception& error) {
    throw std::runtime_error("The device profile " + path + " is wrong: " + error.what() + ".");
  }
}

std::string DeviceProfile::default_path() {
  const char* told = std::getenv("PROTON_XPU_SOFTGPU_PROFILE");
  if (told != nullptr && *told != '\0') return told;
  Dl_info info{};
  std::string folder;
  if (dladdr(reinterpret_cast<void*>(&DeviceProfile::default_path), &info) != 0) {
    folder = info.dli_fname;
    const auto slash = folder.rfind('/');
    folder = slash == std::string::npos ? "" : folder.substr(0, slash + 1);
  }
  return folder + "profiles/max1550.json";
}

}  // namespace softgpu
