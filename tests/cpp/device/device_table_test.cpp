#include "device/device_table.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace proton_xpu {
namespace {

constexpr PciAddress kFirstSlot{0, 3, 0, 0};
constexpr PciAddress kSecondSlot{0, 4, 0, 0};

DeviceUuid uuid(std::uint8_t byte) {
  DeviceUuid result{};
  result[0] = byte;
  return result;
}

const void* handle(std::uintptr_t value) { return reinterpret_cast<const void*>(value); }

DeviceInfo device(std::uint8_t uuid_byte, const PciAddress& pci) {
  DeviceInfo info;
  info.known = true;
  info.uuid = uuid(uuid_byte);
  info.pci = pci;
  return info;
}

/// Two cards; the second has two tiles.
void fill(DeviceTable& table) {
  DeviceInfo tile0 = device(3, kSecondSlot);
  tile0.parent = 1;
  DeviceInfo tile1 = device(4, kSecondSlot);
  tile1.parent = 1;
  tile1.tile = 1;
  table.add({device(1, kFirstSlot), device(2, kSecondSlot), tile0, tile1},
            {handle(10), handle(20), handle(21), handle(22)});
}

DeviceIdentity by_uuid(std::uint8_t byte) {
  DeviceIdentity identity;
  identity.uuid = uuid(byte);
  return identity;
}

DeviceIdentity by_pci(const PciAddress& pci, std::uint32_t tile = 0) {
  DeviceIdentity identity;
  identity.pci = pci;
  identity.tile = tile;
  return identity;
}

TEST(DeviceTable, FindsByHandleFirst) {
  DeviceTable table;
  fill(table);
  DeviceIdentity identity = by_uuid(1);
  identity.handle = handle(22);
  EXPECT_EQ(table.find_or_add(identity), 3U);
}

TEST(DeviceTable, FindsByUuidThenByAddress) {
  DeviceTable table;
  fill(table);
  DeviceIdentity identity = by_uuid(4);
  identity.handle = handle(99);
  identity.pci = kFirstSlot;
  EXPECT_EQ(table.find_or_add(identity), 3U);
  EXPECT_EQ(table.find_or_add(by_pci(kFirstSlot)), 0U);
  EXPECT_EQ(table.find_or_add(by_pci(kSecondSlot)), 1U);
  EXPECT_EQ(table.find_or_add(by_pci(kSecondSlot, 1)), 3U);
  EXPECT_EQ(table.size(), 4U);
}

TEST(DeviceTable, UnknownDeviceGetsItsOwnEntryOnce) {
  DeviceTable table;
  fill(table);
  EXPECT_EQ(table.find_or_add(by_uuid(77)), 4U);
  EXPECT_EQ(table.find_or_add(by_pci({0, 9, 0, 0})), 5U);
  EXPECT_EQ(table.find_or_add(by_uuid(77)), 4U);
  EXPECT_EQ(table.find_or_add(by_pci({0, 9, 0, 0})), 5U);
  EXPECT_FALSE(table.at(4).known);
  EXPECT_EQ(table.at(4).name, "unknown");
  EXPECT_EQ(table.at(4).uuid, uuid(77));
  EXPECT_EQ(table.at(5).pci, (PciAddress{0, 9, 0, 0}));
}

TEST(DeviceTable, UnknownUuidAtAKnownAddressIsAnotherDevice) {
  DeviceTable table;
  fill(table);
  DeviceIdentity identity = by_uuid(77);
  identity.pci = kFirstSlot;
  EXPECT_EQ(table.find_or_add(identity), 4U);
}

TEST(DeviceTable, IdentityWithoutAnyPartHasOneEntry) {
  DeviceTable table;
  fill(table);
  EXPECT_EQ(table.find_or_add({}), 4U);
  EXPECT_EQ(table.find_or_add({}), 4U);
  EXPECT_FALSE(table.at(4).known);
  EXPECT_EQ(table.size(), 5U);
}

TEST(DeviceTable, DevicesSeenBeforeTheEnumerationKeepTheirIndex) {
  DeviceTable table;
  EXPECT_EQ(table.find_or_add(by_uuid(77)), 0U);
  fill(table);
  EXPECT_EQ(table.find_or_add(by_uuid(1)), 1U);
  EXPECT_EQ(table.at(4).parent, 2U);
  EXPECT_EQ(table.find_or_add(by_uuid(77)), 0U);
}

TEST(DeviceTable, IsFilledOnce) {
  DeviceTable table;
  fill(table);
  fill(table);
  EXPECT_EQ(table.size(), 4U);
}

TEST(DeviceTable, RefusesAnIndexItNeverGave) {
  DeviceTable table;
  EXPECT_THROW(table.at(0), std::out_of_range);
}

TEST(DeviceTable, LoadsTheSoftwareDevice) {
  DeviceTable table;
  table.load();
  const std::vector<DeviceInfo> devices = table.all();
  ASSERT_EQ(devices.size(), 1U);
  EXPECT_TRUE(devices[0].known);
  EXPECT_EQ(devices[0].arch, "pvc");
  EXPECT_EQ(devices[0].xe_core_count, 64U);
  EXPECT_EQ(devices[0].eu_count, 512U);
  EXPECT_EQ(devices[0].threads_per_eu, 8U);
  EXPECT_EQ(devices[0].clock_khz, 1'600'000U);
  EXPECT_NE(devices[0].uuid, DeviceUuid{});
  EXPECT_TRUE(devices[0].pci.has_value());
}

}  // namespace
}  // namespace proton_xpu
