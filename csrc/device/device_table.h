// The devices of this process under stable small numbers, and how to find one from what a tracing
// library tells about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "device/device_info.h"

namespace proton_xpu {

/// What a tracing library tells of the device that an operation ran on. Each part may be missing.
struct DeviceIdentity {
  const void* handle = nullptr;  ///< Level Zero device handle.
  DeviceUuid uuid{};             ///< All zero: missing.
  std::optional<PciAddress> pci;
  std::uint32_t tile = 0;  ///< Only read together with `pci`.
};

/// Root devices come first, in the driver's order, then their sub-devices, then devices that were
/// seen but never enumerated. An index never changes its meaning. Thread-safe.
class DeviceTable {
 public:
  DeviceTable() = default;
  DeviceTable(const DeviceTable&) = delete;
  DeviceTable& operator=(const DeviceTable&) = delete;

  /// The table of this process, shared by tracers, sessions and writers.
  static DeviceTable& process();

  /// Enumerates the devices with Level Zero; does nothing once that has succeeded.
  /// Throws std::runtime_error with one sentence if there is no loader, driver or device.
  void load();

  /// Index of the device, by handle, then UUID, then PCI address and tile. A device that matches
  /// nothing gets an entry of its own with `known == false`. An identity without any part gives the
  /// one entry that stands for "not told".
  std::uint32_t find_or_add(const DeviceIdentity& identity);

  std::size_t size() const;

  /// Copy of one entry. Throws std::out_of_range for an index that was never given out.
  DeviceInfo at(std::uint32_t index) const;

  /// Copy of all entries, in order of index.
  std::vector<DeviceInfo> all() const;

  /// Adds enumerated devices; `handles` are theirs, in the same order. What load() does with the
  /// driver's answer.
  void add(std::vector<DeviceInfo> devices, const std::vector<const void*>& handles);

 private:
  struct Entry {
    DeviceInfo info;
    const void* handle;
  };

  std::optional<std::uint32_t> find(const DeviceIdentity& identity) const;

  mutable std::mutex mutex_;
  std::vector<Entry> entries_;
  bool loaded_ = false;
};

}  // namespace proton_xpu
