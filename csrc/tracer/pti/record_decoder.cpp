#include "tracer/pti/record_decoder.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <system_error>

namespace proton_xpu {
namespace {

template <typename Record>
std::optional<LossReason> find_fault(const Record& record) {
  if (record.start_time == 0 || record.end_time == 0) return LossReason::kNoTimestamp;
  if (record.end_time < record.start_time) return LossReason::kBadTimestamp;
  // PTI puts the submit time in place of both stamps when the driver gave none. A real start lies
  // at least one tick after it.
  if (record.start_time == record.end_time && record.start_time == record.submit_time) {
    return LossReason::kNoTimestamp;
  }
  return std::nullopt;
}

DeviceIdentity make_identity(const void* handle, const std::uint8_t (&uuid)[16],
                             const char (&pci_address)[16]) {
  DeviceIdentity identity;
  identity.handle = handle;
  std::memcpy(identity.uuid.data(), uuid, sizeof uuid);
  identity.pci = parse_pci_address(pci_address);
  return identity;
}

bool is_empty(const DeviceIdentity& identity) {
  return identity.handle == nullptr && identity.uuid == DeviceUuid{} && !identity.pci;
}

bool same(const DeviceIdentity& a, const DeviceIdentity& b) {
  return a.handle == b.handle && a.uuid == b.uuid && a.pci == b.pci;
}

bool is_host(pti::MemoryType type) {
  return type == pti::MemoryType::kUnregisteredHost || type == pti::MemoryType::kHost;
}

}  // namespace

std::optional<PciAddress> parse_pci_address(const char (&text)[16]) {
  const char* position = text;
  const char* const end = std::find(text, text + sizeof text, '\0');
  const auto read = [&](std::uint32_t& number, char separator) {
    const auto [rest, error] = std::from_chars(position, end, number, 16);
    if (error != std::errc()) return false;
    position = rest;
    if (separator == '\0') return position == end;
    return position != end && *position++ == separator;
  };
  PciAddress pci;
  const bool complete = read(pci.domain, ':') && read(pci.bus, ':') && read(pci.device, '.') &&
                        read(pci.function, '\0');
  if (!complete || pci == PciAddress{}) return std::nullopt;
  return pci;
}

CopyDirection copy_direction(pti::MemoryType source, pti::MemoryType destination) {
  if (source == pti::MemoryType::kShared || destination == pti::MemoryType::kShared) {
    return CopyDirection::kShared;
  }
  const bool from_host = is_host(source);
  const bool to_host = is_host(destination);
  if (!from_host && source != pti::MemoryType::kDevice) return CopyDirection::kUnknown;
  if (!to_host && destination != pti::MemoryType::kDevice) return CopyDirection::kUnknown;
  if (from_host) return to_host ? CopyDirection::kHostToHost : CopyDirection::kHostToDevice;
  return to_host ? CopyDirection::kDeviceToHost : CopyDirection::kDeviceToDevice;
}

RecordDecoder::Queue& RecordDecoder::queue_of(void* handle) {
  return queues_.try_emplace(handle, Queue{queues_.size(), std::nullopt}).first->second;
}

std::uint32_t RecordDecoder::device_of(const DeviceIdentity& identity, Queue& queue) {
  if (is_empty(identity) && queue.device) return *queue.device;
  for (const KnownDevice& known : known_devices_) {
    if (same(known.identity, identity)) {
      if (!is_empty(identity)) queue.device = known.index;
      return known.index;
    }
  }
  const std::uint32_t index = devices_.find_or_add(identity);
  known_devices_.push_back({identity, index});
  if (!is_empty(identity)) queue.device = index;
  return index;
}

template <typename Record>
DecodedRecord RecordDecoder::decode_common(const Record& record, ActivityKind kind,
                                           std::uint64_t id, const DeviceIdentity& identity) {
  Queue& queue = queue_of(record.queue);
  Activity activity{};
  activity.correlation_id = id;
  activity.kind = kind;
  activity.direction = CopyDirection::kUnknown;
  activity.name = record.name != nullptr ? record.name : "";
  activity.device = device_of(identity, queue);
  activity.queue = queue.number;
  activity.thread_id = record.thread_id;
  activity.append_ns = record.append_time;
  activity.start_ns = record.start_time;
  activity.end_ns = record.end_time;
  return {activity, find_fault(record)};
}

std::optional<DecodedRecord> RecordDecoder::decode(const pti::RecordBase& base) {
  // PTI packs records without padding between them, all of a multiple of 8 bytes.
  switch (base.kind) {
    case pti::ViewKind::kKernel: {
      const auto& record = reinterpret_cast<const pti::KernelRecord&>(base);
      const void* device =
          has_device_handles_ ? reinterpret_cast<const pti::KernelRecordV2&>(base).device : nullptr;
      return decode_common(record, ActivityKind::kKernel, record.kernel_id,
                           make_identity(device, record.device_uuid, record.pci_address));
    }
    case pti::ViewKind::kMemoryCopy: {
      const auto& record = reinterpret_cast<const pti::MemoryCopyRecord&>(base);
      const void* device = has_device_handles_
                               ? reinterpret_cast<const pti::MemoryCopyRecordV2&>(base).device
                               : nullptr;
      DecodedRecord decoded =
          decode_common(record, ActivityKind::kCopy, record.operation_id,
                        make_identity(device, record.device_uuid, record.pci_address));
      decoded.activity.direction = copy_direction(record.source_type, record.destination_type);
      decoded.activity.bytes = record.bytes;
      return decoded;
    }
    case pti::ViewKind::kMemoryCopyPeerToPeer: {
      const auto& record = reinterpret_cast<const pti::PeerToPeerCopyRecord&>(base);
      const void* device =
          has_device_handles_
              ? reinterpret_cast<const pti::PeerToPeerCopyRecordV2&>(base).source_device
              : nullptr;
      DecodedRecord decoded =
          decode_common(record, ActivityKind::kCopy, record.operation_id,
                        make_identity(device, record.source_uuid, record.source_pci_address));
      decoded.activity.direction = CopyDirection::kPeerToPeer;
      decoded.activity.bytes = record.bytes;
      return decoded;
    }
    case pti::ViewKind::kMemoryFill: {
      const auto& record = reinterpret_cast<const pti::MemoryFillRecord&>(base);
      const void* device = has_device_handles_
                               ? reinterpret_cast<const pti::MemoryFillRecordV2&>(base).device
                               : nullptr;
      DecodedRecord decoded =
          decode_common(record, ActivityKind::kFill, record.operation_id,
                        make_identity(device, record.device_uuid, record.pci_address));
      decoded.activity.bytes = record.bytes;
      return decoded;
    }
  }
  return std::nullopt;
}

}  // namespace proton_xpu
