// Turns PTI's records into activities.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "device/device_table.h"
#include "tracer/pti/pti_abi.h"
#include "tracer/tracer.h"

namespace proton_xpu {

/// An activity, or what is wrong with its record.
struct DecodedRecord {
  Activity activity;
  std::optional<LossReason> loss;
};

/// Keeps what it learns of queues and devices, so it is used by one thread at a time and lives as
/// long as records come.
class RecordDecoder {
 public:
  /// `has_device_handles`: the records are the *V2 structures.
  RecordDecoder(DeviceTable& devices, bool has_device_handles)
      : devices_(devices), has_device_handles_(has_device_handles) {}

  /// Nothing for a kind of record that is no GPU operation. The name is PTI's and stays valid.
  std::optional<DecodedRecord> decode(const pti::RecordBase& record);

 private:
  struct Queue {
    std::uint64_t number;
    std::optional<std::uint32_t> device;  ///< Of the last record that told.
  };

  struct KnownDevice {
    DeviceIdentity identity;
    std::uint32_t index;
  };

  template <typename Record>
  DecodedRecord decode_common(const Record& record, ActivityKind kind, std::uint64_t id,
                              const DeviceIdentity& identity);
  Queue& queue_of(void* handle);
  std::uint32_t device_of(const DeviceIdentity& identity, Queue& queue);

  DeviceTable& devices_;
  const bool has_device_handles_;
  std::unordered_map<void*, Queue> queues_;
  std::vector<KnownDevice> known_devices_;
};

/// PCI address in PTI's form "domain:bus:device.function" in hexadecimal digits; nothing if `text`
/// is not one or is 0:0:0.0, which PTI gives when it does not know. `text` need not be terminated.
std::optional<PciAddress> parse_pci_address(const char (&text)[16]);

/// Direction of a copy between two kinds of memory.
CopyDirection copy_direction(pti::MemoryType source, pti::MemoryType destination);

}  // namespace proton_xpu
