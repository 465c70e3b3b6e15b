#include "tracer/pti/record_decoder.h"

#include <gtest/gtest.h>

#include <cstring>

namespace proton_xpu {
namespace {

constexpr std::uint64_t kAppend = 1'000;
constexpr std::uint64_t kSubmit = 1'100;
constexpr std::uint64_t kStart = 2'000;
constexpr std::uint64_t kEnd = 2'500;

void* pointer(std::uintptr_t value) { return reinterpret_cast<void*>(value); }

template <typename Record>
void set_times(Record& record) {
  record.append_time = kAppend;
  record.submit_time = kSubmit;
  record.start_time = kStart;
  record.end_time = kEnd;
}

/// A kernel on the device with handle 10, UUID 1 and the address 0000:03:00.0.
pti::KernelRecordV2 make_kernel() {
  pti::KernelRecordV2 record{};
  record.base.base.kind = pti::ViewKind::kKernel;
  record.base.queue = pointer(100);
  record.base.name = "add_kernel";
  record.base.kernel_id = 42;
  record.base.thread_id = 7;
  std::strcpy(record.base.pci_address, "0:3:0.0");
  record.base.device_uuid[0] = 1;
  record.device = pointer(10);
  set_times(record.base);
  return record;
}

class RecordDecoderTest : public ::testing::Test {
 protected:
  RecordDecoderTest() {
    DeviceInfo first;
    first.known = true;
    first.uuid[0] = 1;
    first.pci = PciAddress{0, 3, 0, 0};
    DeviceInfo second = first;
    second.uuid[0] = 2;
    second.pci = PciAddress{0, 4, 0, 0};
    devices_.add({first, second}, {pointer(10), pointer(20)});
  }

  DecodedRecord decode(const pti::RecordBase& record) { return decoder_.decode(record).value(); }
  DecodedRecord decode(const pti::KernelRecordV2& record) { return decode(record.base.base); }

  DeviceTable devices_;
  RecordDecoder decoder_{devices_, true};
};

TEST_F(RecordDecoderTest, Kernel) {
  const DecodedRecord decoded = decode(make_kernel());
  EXPECT_EQ(decoded.loss, std::nullopt);
  const Activity& activity = decoded.activity;
  EXPECT_EQ(activity.correlation_id, 42U);
  EXPECT_EQ(activity.kind, ActivityKind::kKernel);
  EXPECT_STREQ(activity.name, "add_kernel");
  EXPECT_EQ(activity.device, 0U);
  EXPECT_EQ(activity.queue, 0U);
  EXPECT_EQ(activity.thread_id, 7U);
  EXPECT_EQ(activity.append_ns, kAppend);
  EXPECT_EQ(activity.start_ns, kStart);
  EXPECT_EQ(activity.end_ns, kEnd);
  EXPECT_EQ(activity.bytes, 0U);
}

TEST_F(RecordDecoderTest, CopyWithDirectionAndBytes) {
  pti::MemoryCopyRecordV2 record{};
  record.base.base.kind = pti::ViewKind::kMemoryCopy;
  record.base.source_type = pti::MemoryType::kHost;
  record.base.destination_type = pti::MemoryType::kDevice;
  record.base.operation_id = 43;
  record.base.bytes = 4096;
  record.device = pointer(20);
  set_times(record.base);
  const DecodedRecord decoded = decode(record.base.base);
  EXPECT_EQ(decoded.loss, std::nullopt);
  EXPECT_EQ(decoded.activity.kind, ActivityKind::kCopy);
  EXPECT_EQ(decoded.activity.direction, CopyDirection::kHostToDevice);
  EXPECT_EQ(decoded.activity.correlation_id, 43U);
  EXPECT_EQ(decoded.activity.bytes, 4096U);
  EXPECT_EQ(decoded.activity.device, 1U);
  EXPECT_STREQ(decoded.activity.name, "");
}

TEST_F(RecordDecoderTest, PeerToPeerCopyBelongsToTheSource) {
  pti::PeerToPeerCopyRecordV2 record{};
  record.base.base.kind = pti::ViewKind::kMemoryCopyPeerToPeer;
  record.base.operation_id = 44;
  record.base.bytes = 64;
  record.source_device = pointer(20);
  record.destination_device = pointer(10);
  set_times(record.base);
  const DecodedRecord decoded = decode(record.base.base);
  EXPECT_EQ(decoded.activity.kind, ActivityKind::kCopy);
  EXPECT_EQ(decoded.activity.direction, CopyDirection::kPeerToPeer);
  EXPECT_EQ(decoded.activity.device, 1U);
  EXPECT_EQ(decoded.activity.bytes, 64U);
}

TEST_F(RecordDecoderTest, FillWithoutDeviceTakesThatOfItsQueue) {
  pti::KernelRecordV2 kernel = make_kernel();
  kernel.device = pointer(20);
  decode(kernel);
  pti::MemoryFillRecordV2 record{};
  record.base.base.kind = pti::ViewKind::kMemoryFill;
  record.base.queue = kernel.base.queue;
  record.base.operation_id = 45;
  record.base.bytes = 128;
  std::strcpy(record.base.pci_address, "0:0:0.0");
  set_times(record.base);
  const DecodedRecord decoded = decode(record.base.base);
  EXPECT_EQ(decoded.activity.kind, ActivityKind::kFill);
  EXPECT_EQ(decoded.activity.bytes, 128U);
  EXPECT_EQ(decoded.activity.device, 1U);
  EXPECT_EQ(devices_.size(), 2U);
}

TEST_F(RecordDecoderTest, OldRecordsAreFoundByUuid) {
  RecordDecoder old_decoder(devices_, false);
  pti::KernelRecordV2 record = make_kernel();
  record.base.device_uuid[0] = 2;
  record.device = pointer(10);
  EXPECT_EQ(old_decoder.decode(record.base.base)->activity.device, 1U);
}

TEST_F(RecordDecoderTest, UnknownDeviceIsNeverTheFirst) {
  pti::KernelRecordV2 record = make_kernel();
  record.device = pointer(99);
  record.base.device_uuid[0] = 99;
  record.base.pci_address[0] = '\0';
  EXPECT_EQ(decode(record).activity.device, 2U);
  EXPECT_FALSE(devices_.at(2).known);
}

TEST_F(RecordDecoderTest, QueuesAreNumberedInOrderOfAppearance) {
  pti::KernelRecordV2 record = make_kernel();
  EXPECT_EQ(decode(record).activity.queue, 0U);
  record.base.queue = pointer(200);
  EXPECT_EQ(decode(record).activity.queue, 1U);
  record.base.queue = pointer(100);
  EXPECT_EQ(decode(record).activity.queue, 0U);
}

TEST_F(RecordDecoderTest, MissingStampsAreALoss) {
  pti::KernelRecordV2 record = make_kernel();
  record.base.start_time = 0;
  EXPECT_EQ(decode(record).loss, LossReason::kNoTimestamp);
  record = make_kernel();
  record.base.end_time = 0;
  EXPECT_EQ(decode(record).loss, LossReason::kNoTimestamp);
}

TEST_F(RecordDecoderTest, SubmitTimeInPlaceOfBothStampsIsALoss) {
  pti::KernelRecordV2 record = make_kernel();
  record.base.start_time = kSubmit;
  record.base.end_time = kSubmit;
  EXPECT_EQ(decode(record).loss, LossReason::kNoTimestamp);
}

TEST_F(RecordDecoderTest, KernelOfNoDurationIsNoLoss) {
  pti::KernelRecordV2 record = make_kernel();
  record.base.end_time = record.base.start_time;
  EXPECT_EQ(decode(record).loss, std::nullopt);
}

TEST_F(RecordDecoderTest, EndBeforeStartIsALoss) {
  pti::KernelRecordV2 record = make_kernel();
  record.base.end_time = record.base.start_time - 1;
  EXPECT_EQ(decode(record).loss, LossReason::kBadTimestamp);
}

TEST_F(RecordDecoderTest, OtherKindsAreSkipped) {
  pti::RecordBase record{static_cast<pti::ViewKind>(11)};
  EXPECT_FALSE(decoder_.decode(record).has_value());
}

TEST(ParsePciAddress, ReadsPtisForm) {
  const char usual[16] = "0:3a:1f.7";
  EXPECT_EQ(parse_pci_address(usual), (PciAddress{0, 0x3a, 0x1f, 7}));
  const char longest[16] = {'1', '0', '0', '0', '0', ':', 'f', 'f', ':', '1', 'f', '.', '7'};
  EXPECT_EQ(parse_pci_address(longest), (PciAddress{0x10000, 0xff, 0x1f, 7}));
}

TEST(ParsePciAddress, TakesNothingElse) {
  const char empty[16] = "";
  const char unknown[16] = "0:0:0.0";
  const char garbage[16] = "0:3:0.0x";
  EXPECT_EQ(parse_pci_address(empty), std::nullopt);
  EXPECT_EQ(parse_pci_address(unknown), std::nullopt);
  EXPECT_EQ(parse_pci_address(garbage), std::nullopt);
}

TEST(ParsePciAddress, NeedsNoTerminator) {
  char full[16];
  std::memset(full, '1', sizeof full);
  EXPECT_EQ(parse_pci_address(full), std::nullopt);
}

TEST(CopyDirection, FollowsTheMemoryTypes) {
  using pti::MemoryType;
  EXPECT_EQ(copy_direction(MemoryType::kUnregisteredHost, MemoryType::kDevice),
            CopyDirection::kHostToDevice);
  EXPECT_EQ(copy_direction(MemoryType::kDevice, MemoryType::kHost), CopyDirection::kDeviceToHost);
  EXPECT_EQ(copy_direction(MemoryType::kDevice, MemoryType::kDevice),
            CopyDirection::kDeviceToDevice);
  EXPECT_EQ(copy_direction(MemoryType::kHost, MemoryType::kUnregisteredHost),
            CopyDirection::kHostToHost);
  EXPECT_EQ(copy_direction(MemoryType::kShared, MemoryType::kDevice), CopyDirection::kShared);
  EXPECT_EQ(copy_direction(MemoryType::kHost, MemoryType::kShared), CopyDirection::kShared);
  EXPECT_EQ(copy_direction(static_cast<MemoryType>(9), MemoryType::kDevice),
            CopyDirection::kUnknown);
  EXPECT_EQ(copy_direction(MemoryType::kHost, static_cast<MemoryType>(9)), CopyDirection::kUnknown);
}

}  // namespace
}  // namespace proton_xpu
