#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "softgpu/clock.h"
#include "softgpu/device_profile.h"
#include "softgpu/soft_device.h"

namespace softgpu::testing {
namespace {

using DeviceEntriesTest = SoftDevice;

TEST_F(DeviceEntriesTest, PropertiesAreTheProfiles) {
  ze_eu_count_ext_t eus{ZE_STRUCTURE_TYPE_EU_COUNT_EXT, nullptr, 0};
  ze_device_ip_version_ext_t ip{ZE_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT, &eus, 0};
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
  properties.pNext = &ip;
  EXPECT_EQ(ze().Device.pfnGetProperties(device_, &properties), ZE_RESULT_SUCCESS);
  EXPECT_STREQ(properties.name, "Intel Data Center GPU Max 1550 (software, proton_xpu softgpu)");
  EXPECT_EQ(properties.type, ZE_DEVICE_TYPE_GPU);
  EXPECT_EQ(properties.vendorId, 0x8086U);
  EXPECT_EQ(properties.deviceId, 0x0BD5U);
  EXPECT_EQ(properties.flags, 0U);
  EXPECT_EQ(properties.numSlices * properties.numSubslicesPerSlice * properties.numEUsPerSubslice,
            512U);
  EXPECT_EQ(properties.timerResolution, 1'000'000'000U);
  EXPECT_EQ(properties.timestampValidBits, 64U);
  EXPECT_EQ(properties.pNext, &ip);
  EXPECT_EQ(ip.ipVersion, 0x030F0007U);
  EXPECT_EQ(eus.numTotalEUs, 512U);

  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  EXPECT_EQ(ze().Device.pfnGetProperties(device_, &properties), ZE_RESULT_SUCCESS);
  EXPECT_EQ(properties.timerResolution, 1U);
}

TEST_F(DeviceEntriesTest, ListsGiveTheCountAndNoMoreThanAskedFor) {
  std::uint32_t count = 0;
  EXPECT_EQ(ze().Device.pfnGet(driver_, &count, nullptr), ZE_RESULT_SUCCESS);
  EXPECT_EQ(count, 1U);
  count = 7;
  std::array<ze_device_handle_t, 7> devices{};
  EXPECT_EQ(ze().Device.pfnGet(driver_, &count, devices.data()), ZE_RESULT_SUCCESS);
  EXPECT_EQ(count, 1U);
  EXPECT_EQ(devices[0], device_);
  EXPECT_EQ(devices[1], nullptr);
  count = 0;
  EXPECT_EQ(ze().Device.pfnGetSubDevices(device_, &count, nullptr), ZE_RESULT_SUCCESS);
  EXPECT_EQ(count, 0U);
  ze_device_handle_t root = device_;
  EXPECT_EQ(ze().Device.pfnGetRootDevice(device_, &root), ZE_RESULT_SUCCESS);
  EXPECT_EQ(root, nullptr);
}

TEST_F(DeviceEntriesTest, OtherPropertiesAreTheProfiles) {
  ze_device_compute_properties_t compute{};
  EXPECT_EQ(ze().Device.pfnGetComputeProperties(device_, &compute), ZE_RESULT_SUCCESS);
  EXPECT_EQ(compute.maxTotalGroupSize, 1024U);
  EXPECT_EQ(compute.maxSharedLocalMemory, 131072U);
  EXPECT_EQ(compute.numSubGroupSizes, 2U);
  EXPECT_EQ(compute.subGroupSizes[1], 32U);

  std::uint32_t count = 1;
  ze_device_memory_properties_t memory{};
  EXPECT_EQ(ze().Device.pfnGetMemoryProperties(device_, &count, &memory), ZE_RESULT_SUCCESS);
  EXPECT_EQ(memory.totalSize, 65520ULL << 20);
  EXPECT_EQ(memory.maxClockRate, 3200U);
  EXPECT_STREQ(memory.name, "HBM");

  ze_command_queue_group_properties_t group{};
  EXPECT_EQ(ze().Device.pfnGetCommandQueueGroupProperties(device_, &count, &group),
            ZE_RESULT_SUCCESS);
  EXPECT_NE(group.flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE, 0U);
  EXPECT_EQ(group.numQueues, 1U);

  ze_device_cache_properties_t cache{};
  EXPECT_EQ(ze().Device.pfnGetCacheProperties(device_, &count, &cache), ZE_RESULT_SUCCESS);
  EXPECT_EQ(cache.cacheSize, 192U << 20);

  ze_pci_ext_properties_t pci{};
  EXPECT_EQ(ze().Device.pfnPciGetPropertiesExt(device_, &pci), ZE_RESULT_SUCCESS);
  EXPECT_EQ(pci.address.bus, 3U);

  ze_device_module_properties_t module{};
  EXPECT_EQ(ze().Device.pfnGetModuleProperties(device_, &module), ZE_RESULT_SUCCESS);
  EXPECT_NE(module.flags & ZE_DEVICE_MODULE_FLAG_FP64, 0U);
}

TEST_F(DeviceEntriesTest, ClockPairIsTakenAtOneMoment) {
  const std::uint64_t before = host_now();
  std::uint64_t host = 0;
  std::uint64_t device = 0;
  EXPECT_EQ(ze().Device.pfnGetGlobalTimestamps(device_, &host, &device), ZE_RESULT_SUCCESS);
  EXPECT_LE(before, host);
  EXPECT_LE(host, host_now());
  EXPECT_EQ(device, host);
}

TEST_F(DeviceEntriesTest, ExtensionsAreNamed) {
  std::uint32_t count = 0;
  EXPECT_EQ(ze().Driver.pfnGetExtensionProperties(driver_, &count, nullptr), ZE_RESULT_SUCCESS);
  std::vector<ze_driver_extension_properties_t> extensions(count);
  EXPECT_EQ(ze().Driver.pfnGetExtensionProperties(driver_, &count, extensions.data()),
            ZE_RESULT_SUCCESS);
  bool found = false;
  for (const auto& extension : extensions) {
    found = found || std::strcmp(extension.name, ZE_GLOBAL_OFFSET_EXP_NAME) == 0;
  }
  EXPECT_TRUE(found);
  void* function = this;
  EXPECT_EQ(ze().Driver.pfnGetExtensionFunctionAddress(driver_, "zexUnknown", &function),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(function, nullptr);
}

TEST_F(DeviceEntriesTest, InitialisesOnlyGpuDrivers) {
  std::uint32_t count = 0;
  ze_init_driver_type_desc_t gpu{ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC, nullptr,
                                 ZE_INIT_DRIVER_TYPE_FLAG_GPU};
  EXPECT_EQ(ze().Global.pfnInitDrivers(&count, nullptr, &gpu), ZE_RESULT_SUCCESS);
  EXPECT_EQ(count, 1U);
  ze_driver_handle_t driver = nullptr;
  EXPECT_EQ(ze().Global.pfnInitDrivers(&count, &driver, &gpu), ZE_RESULT_SUCCESS);
  EXPECT_EQ(driver, driver_);
  ze_init_driver_type_desc_t npu{ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC, nullptr,
                                 ZE_INIT_DRIVER_TYPE_FLAG_NPU};
  EXPECT_EQ(ze().Global.pfnInitDrivers(&count, &driver, &npu), ZE_RESULT_SUCCESS);
  EXPECT_EQ(count, 0U);
  EXPECT_EQ(ze().Global.pfnInit(ZE_INIT_FLAG_VPU_ONLY), ZE_RESULT_ERROR_UNINITIALIZED);
  EXPECT_EQ(ze().Global.pfnInit(64), ZE_RESULT_ERROR_INVALID_ENUMERATION);
}

// The profile is read once in a process, so these run in one of their own.
class ProfileProcess : public ::testing::Test {
 protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    std::ifstream file(DeviceProfile::default_path());
    profile_ = nlohmann::json::parse(file);
    path_ = ::testing::TempDir() + "/profile_process.json";
  }

  void use() const {
    std::ofstream(path_) << profile_.dump();
    setenv("PROTON_XPU_SOFTGPU_PROFILE", path_.c_str(), 1);
  }

  nlohmann::json profile_;
  std::string path_;
};

int exit_code(bool good) { return good ? 0 : 1; }

TEST_F(ProfileProcess, TwoDevicesOfTwoTiles) {
  const auto body = [this] {
    profile_["devices"] = 2;
    profile_["tiles"] = 2;
    use();
    ze().Global.pfnInit(0);
    std::uint32_t count = 1;
    ze_driver_handle_t driver = nullptr;
    ze().Driver.pfnGet(&count, &driver);
    std::array<ze_device_handle_t, 3> devices{};
    count = 3;
    ze().Device.pfnGet(driver, &count, devices.data());
    bool good = count == 2 && devices[0] != devices[1];
    std::array<ze_device_handle_t, 3> tiles{};
    count = 3;
    ze().Device.pfnGetSubDevices(devices[1], &count, tiles.data());
    good = good && count == 2;
    ze_device_handle_t root = nullptr;
    ze().Device.pfnGetRootDevice(tiles[1], &root);
    good = good && root == devices[1];
    ze_device_properties_t card{};
    ze_device_properties_t tile{};
    ze().Device.pfnGetProperties(devices[1], &card);
    ze().Device.pfnGetProperties(tiles[1], &tile);
    good = good && card.numSlices == 2 * tile.numSlices && tile.subdeviceId == 1 &&
           (tile.flags & ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE) != 0 &&
           std::memcmp(card.uuid.id, tile.uuid.id, sizeof(card.uuid.id)) != 0;
    ze_pci_ext_properties_t pci{};
    ze().Device.pfnPciGetPropertiesExt(devices[1], &pci);
    std::_Exit(exit_code(good && pci.address.bus == 4));
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), "");
}

TEST_F(ProfileProcess, OldStructuresGetWholeNanosecondsOfASlowerTimer) {
  const auto body = [this] {
    profile_["timer_hz"] = 19'200'000;
    profile_["timestamp_valid_bits"] = 36;
    profile_["kernel_timestamp_valid_bits"] = 32;
    use();
    ze().Global.pfnInit(0);
    std::uint32_t count = 1;
    ze_driver_handle_t driver = nullptr;
    ze_device_handle_t device = nullptr;
    ze().Driver.pfnGet(&count, &driver);
    ze().Device.pfnGet(driver, &count, &device);
    ze_device_properties_t old{};
    old.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    ze_device_properties_t recent{};
    recent.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
    ze().Device.pfnGetProperties(device, &old);
    ze().Device.pfnGetProperties(device, &recent);
    std::uint64_t host = 0;
    std::uint64_t ticks = 0;
    ze().Device.pfnGetGlobalTimestamps(device, &host, &ticks);
    std::_Exit(exit_code(old.timerResolution == 52 && recent.timerResolution == 19'200'000 &&
                         recent.timestampValidBits == 36 && recent.kernelTimestampValidBits == 32 &&
                         ticks < (std::uint64_t{1} << 36)));
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), "");
}

TEST_F(ProfileProcess, BadProfileKeepsTheDriverFromStartingAndSaysWhy) {
  const auto body = [] {
    setenv("PROTON_XPU_SOFTGPU_PROFILE", "/no/such/profile.json", 1);
    std::_Exit(exit_code(ze().Global.pfnInit(0) == ZE_RESULT_ERROR_UNINITIALIZED &&
                         ze().Global.pfnInit(0) == ZE_RESULT_ERROR_UNINITIALIZED));
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0),
              "^\\[softgpu\\] Cannot open the device profile /no/such/profile.json.\n$");
}

TEST_F(ProfileProcess, UnknownMemoryCanBeCalledTheDevices) {
  const auto body = [] {
    setenv("PROTON_XPU_SOFTGPU_UNKNOWN_AS_DEVICE", "1", 1);
    ze().Global.pfnInit(0);
    std::uint32_t count = 1;
    ze_driver_handle_t driver = nullptr;
    ze_device_handle_t device = nullptr;
    ze().Driver.pfnGet(&count, &driver);
    ze().Device.pfnGet(driver, &count, &device);
    const ze_context_desc_t description{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
    ze_context_handle_t context = nullptr;
    ze().Context.pfnCreate(driver, &description, &context);
    ze_memory_allocation_properties_t memory{};
    ze_device_handle_t owner = nullptr;
    ze().Mem.pfnGetAllocProperties(context, &count, &memory, &owner);
    std::_Exit(exit_code(memory.type == ZE_MEMORY_TYPE_DEVICE && owner == device));
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace softgpu::testing
