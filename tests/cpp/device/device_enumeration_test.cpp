#include "device/device_enumeration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace proton_xpu {
namespace {

/// One device of the fake drivers below; handles are pointers to these.
struct FakeDevice {
  ze_device_properties_t properties{};
  std::uint32_t ip_version = 0;
  std::vector<ze_device_memory_properties_t> memories;
  ze_pci_address_ext_t pci{};
  std::vector<FakeDevice*> tiles;
};

struct FakeDriver {
  std::uint32_t version = 0;
  ze_api_version_t api = ZE_API_VERSION_1_12;
  std::vector<FakeDevice*> devices;
};

std::vector<FakeDriver*> g_drivers;

template <typename Handle, typename Fake>
ze_result_t list(const std::vector<Fake*>& all, std::uint32_t* count, Handle* handles) {
  if (handles != nullptr) {
    for (std::uint32_t i = 0; i < *count; ++i) handles[i] = reinterpret_cast<Handle>(all[i]);
  }
  *count = static_cast<std::uint32_t>(all.size());
  return ZE_RESULT_SUCCESS;
}

FakeDevice& fake(ze_device_handle_t device) { return *reinterpret_cast<FakeDevice*>(device); }
FakeDriver& fake(ze_driver_handle_t driver) { return *reinterpret_cast<FakeDriver*>(driver); }

ze_result_t driver_get(std::uint32_t* count, ze_driver_handle_t* drivers) {
  return list(g_drivers, count, drivers);
}
ze_result_t driver_get_properties(ze_driver_handle_t driver, ze_driver_properties_t* properties) {
  properties->driverVersion = fake(driver).version;
  return ZE_RESULT_SUCCESS;
}
ze_result_t driver_get_api_version(ze_driver_handle_t driver, ze_api_version_t* version) {
  *version = fake(driver).api;
  return ZE_RESULT_SUCCESS;
}
ze_result_t device_get(ze_driver_handle_t driver, std::uint32_t* count,
                       ze_device_handle_t* devices) {
  return list(fake(driver).devices, count, devices);
}
ze_result_t device_get_sub_devices(ze_device_handle_t device, std::uint32_t* count,
                                   ze_device_handle_t* devices) {
  return list(fake(device).tiles, count, devices);
}
ze_result_t device_get_properties(ze_device_handle_t device, ze_device_properties_t* properties) {
  auto* ip_version = static_cast<ze_device_ip_version_ext_t*>(properties->pNext);
  const ze_structure_type_t type = properties->stype;
  *properties = fake(device).properties;
  properties->stype = type;
  ip_version->ipVersion = fake(device).ip_version;
  // As drivers do: cycles a second with the newer structure, nanoseconds with the older.
  if (type == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES && properties->timerResolution > 1000) {
    properties->timerResolution = 1'000'000'000 / properties->timerResolution;
  }
  return ZE_RESULT_SUCCESS;
}
ze_result_t device_get_memory_properties(ze_device_handle_t device, std::uint32_t* count,
                                         ze_device_memory_properties_t* properties) {
  const auto& memories = fake(device).memories;
  if (properties != nullptr) std::copy_n(memories.begin(), *count, properties);
  *count = static_cast<std::uint32_t>(memories.size());
  return ZE_RESULT_SUCCESS;
}
ze_result_t device_pci_get_properties(ze_device_handle_t device, ze_pci_ext_properties_t* pci) {
  pci->address = fake(device).pci;
  return ZE_RESULT_SUCCESS;
}

LevelZeroFunctions fake_functions() {
  LevelZeroFunctions functions;
  functions.driver_get = driver_get;
  functions.driver_get_properties = driver_get_properties;
  functions.driver_get_api_version = driver_get_api_version;
  functions.device_get = device_get;
  functions.device_get_sub_devices = device_get_sub_devices;
  functions.device_get_properties = device_get_properties;
  functions.device_get_memory_properties = device_get_memory_properties;
  functions.device_pci_get_properties = device_pci_get_properties;
  return functions;
}

FakeDevice make_device(const char* name, ze_device_type_t type = ZE_DEVICE_TYPE_GPU) {
  FakeDevice device;
  std::strcpy(device.properties.name, name);
  device.properties.type = type;
  device.properties.vendorId = 0x8086;
  device.properties.deviceId = 0x0BD5;
  device.properties.coreClockRate = 1600;
  device.properties.numSlices = 1;
  device.properties.numSubslicesPerSlice = 64;
  device.properties.numEUsPerSubslice = 8;
  device.properties.numThreadsPerEU = 8;
  device.properties.physicalEUSimdWidth = 16;
  device.properties.timerResolution = 12'500'000;
  device.properties.timestampValidBits = 36;
  device.properties.kernelTimestampValidBits = 32;
  device.ip_version = 0x030F0007;
  device.pci = {0, 0x3a, 0, 0};
  ze_device_memory_properties_t memory{};
  memory.maxClockRate = 3200;
  memory.maxBusWidth = 2048;
  memory.totalSize = std::uint64_t{64} << 30;
  device.memories = {memory};
  return device;
}

TEST(DeviceEnumeration, ReadsEveryFact) {
  FakeDevice device = make_device("Max 1550");
  device.properties.uuid.id[3] = 7;
  FakeDriver driver;
  driver.version = 1U << 24 | 6U << 16 | 33578U;
  driver.devices = {&device};
  g_drivers = {&driver};
  const EnumeratedDevices found = enumerate_devices(fake_functions());
  ASSERT_EQ(found.infos.size(), 1U);
  EXPECT_EQ(found.handles.at(0), reinterpret_cast<ze_device_handle_t>(&device));
  const DeviceInfo& info = found.infos[0];
  EXPECT_TRUE(info.known);
  EXPECT_EQ(info.name, "Max 1550");
  EXPECT_EQ(info.arch, "pvc");
  EXPECT_FALSE(info.integrated);
  EXPECT_EQ(info.vendor_id, 0x8086U);
  EXPECT_EQ(info.device_id, 0x0BD5U);
  EXPECT_EQ(info.ip_version, 0x030F0007U);
  EXPECT_EQ(info.uuid[3], 7);
  EXPECT_EQ(info.pci, (PciAddress{0, 0x3a, 0, 0}));
  EXPECT_EQ(info.driver_version, "1.6.33578");
  EXPECT_EQ(info.parent, std::nullopt);
  EXPECT_EQ(info.tile_count, 1U);
  EXPECT_EQ(info.clock_khz, 1'600'000U);
  EXPECT_EQ(info.memory_clock_khz, 3'200'000U);
  EXPECT_EQ(info.memory_bus_bits, 2048U);
  EXPECT_EQ(info.memory_bytes, std::uint64_t{64} << 30);
  EXPECT_EQ(info.eu_count, 512U);
  EXPECT_EQ(info.xe_core_count, 64U);
  EXPECT_EQ(info.slice_count, 1U);
  EXPECT_EQ(info.subslices_per_slice, 64U);
  EXPECT_EQ(info.eus_per_subslice, 8U);
  EXPECT_EQ(info.threads_per_eu, 8U);
  EXPECT_EQ(info.eu_simd_width, 16U);
  EXPECT_EQ(info.timer_hz, 12'500'000U);
  EXPECT_EQ(info.timestamp_valid_bits, 36U);
  EXPECT_EQ(info.kernel_timestamp_valid_bits, 32U);
}

TEST(DeviceEnumeration, PutsRootDevicesOfAllDriversBeforeTiles) {
  FakeDevice tile0 = make_device("tile 0");
  FakeDevice tile1 = make_device("tile 1");
  FakeDevice card = make_device("card");
  card.tiles = {&tile0, &tile1};
  FakeDevice cpu = make_device("cpu", ZE_DEVICE_TYPE_CPU);
  FakeDevice integrated = make_device("integrated");
  integrated.properties.flags = ZE_DEVICE_PROPERTY_FLAG_INTEGRATED;
  FakeDriver first;
  first.devices = {&card};
  FakeDriver second;
  second.devices = {&cpu, &integrated};
  g_drivers = {&first, &second};
  const std::vector<DeviceInfo> infos = enumerate_devices(fake_functions()).infos;
  ASSERT_EQ(infos.size(), 4U);
  EXPECT_EQ(infos[0].name, "card");
  EXPECT_EQ(infos[0].tile_count, 2U);
  EXPECT_EQ(infos[1].name, "integrated");
  EXPECT_TRUE(infos[1].integrated);
  EXPECT_EQ(infos[2].name, "tile 0");
  EXPECT_EQ(infos[2].parent, 0U);
  EXPECT_EQ(infos[2].tile, 0U);
  EXPECT_EQ(infos[3].name, "tile 1");
  EXPECT_EQ(infos[3].parent, 0U);
  EXPECT_EQ(infos[3].tile, 1U);
}

TEST(DeviceEnumeration, OldDriverGivesNanoseconds) {
  FakeDevice device = make_device("old");
  FakeDriver driver;
  driver.api = ZE_API_VERSION_1_1;
  driver.devices = {&device};
  g_drivers = {&driver};
  EXPECT_EQ(enumerate_devices(fake_functions()).infos.at(0).timer_hz, 12'500'000U);
}

TEST(DeviceEnumeration, DriverThatAlwaysGivesNanosecondsIsUnderstood) {
  FakeDevice device = make_device("quirky");
  device.properties.timerResolution = 52;
  FakeDriver driver;
  driver.devices = {&device};
  g_drivers = {&driver};
  EXPECT_EQ(enumerate_devices(fake_functions()).infos.at(0).timer_hz, 1'000'000'000U / 52);
}

TEST(DeviceEnumeration, TakesTheClockOfTheLargestMemoryAndTheSumOfSizes) {
  FakeDevice device = make_device("two memories");
  ze_device_memory_properties_t small = device.memories[0];
  small.maxClockRate = 1;
  small.maxBusWidth = 1;
  small.totalSize = 1 << 20;
  device.memories.insert(device.memories.begin(), small);
  FakeDriver driver;
  driver.devices = {&device};
  g_drivers = {&driver};
  const DeviceInfo info = enumerate_devices(fake_functions()).infos.at(0);
  EXPECT_EQ(info.memory_clock_khz, 3'200'000U);
  EXPECT_EQ(info.memory_bus_bits, 2048U);
  EXPECT_EQ(info.memory_bytes, (std::uint64_t{64} << 30) + (1 << 20));
}

TEST(DeviceEnumeration, MissingPciFunctionLeavesTheAddressOut) {
  FakeDevice device = make_device("no pci");
  FakeDriver driver;
  driver.devices = {&device};
  g_drivers = {&driver};
  LevelZeroFunctions functions = fake_functions();
  functions.device_pci_get_properties = nullptr;
  EXPECT_EQ(enumerate_devices(functions).infos.at(0).pci, std::nullopt);
}

TEST(DeviceEnumeration, NoGpuIsAnError) {
  FakeDevice cpu = make_device("cpu", ZE_DEVICE_TYPE_CPU);
  FakeDriver driver;
  driver.devices = {&cpu};
  g_drivers = {&driver};
  try {
    enumerate_devices(fake_functions());
    FAIL() << "no exception";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("Level Zero knows no GPU"), std::string::npos);
  }
}

TEST(TimerFrequency, IsDecidedByTheValue) {
  EXPECT_EQ(timer_frequency(0), 0U);
  EXPECT_EQ(timer_frequency(80), 12'500'000U);
  EXPECT_EQ(timer_frequency(1), 1'000'000'000U);
  EXPECT_EQ(timer_frequency(19'200'000), 19'200'000U);
  EXPECT_EQ(timer_frequency(1'000'000'000), 1'000'000'000U);
}

}  // namespace
}  // namespace proton_xpu
