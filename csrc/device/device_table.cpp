#include "device/device_table.h"

#include <utility>

#include "device/device_enumeration.h"
#include "device/level_zero.h"

namespace proton_xpu {
namespace {

bool has_uuid(const DeviceUuid& uuid) { return uuid != DeviceUuid{}; }

}  // namespace

DeviceTable& DeviceTable::process() {
  // Leaked on purpose: tracers may deliver until the very end of the process.
  static DeviceTable* table = new DeviceTable();
  return *table;
}

void DeviceTable::load() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (loaded_) return;
  }
  EnumeratedDevices found = enumerate_devices(LevelZero::open());
  const std::vector<const void*> handles(found.handles.begin(), found.handles.end());
  add(std::move(found.infos), handles);
}

void DeviceTable::add(std::vector<DeviceInfo> devices, const std::vector<const void*>& handles) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (loaded_) return;
  const auto offset = static_cast<std::uint32_t>(entries_.size());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (devices[i].parent) *devices[i].parent += offset;
    entries_.push_back({std::move(devices[i]), handles.at(i)});
  }
  loaded_ = true;
}

std::optional<std::uint32_t> DeviceTable::find(const DeviceIdentity& identity) const {
  const auto index_if = [this](auto matches) -> std::optional<std::uint32_t> {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (matches(entries_[i])) return static_cast<std::uint32_t>(i);
    }
    return std::nullopt;
  };
  const bool by_uuid = has_uuid(identity.uuid);
  if (identity.handle != nullptr) {
    if (auto index = index_if([&](const Entry& e) { return e.handle == identity.handle; })) {
      return index;
    }
  }
  if (by_uuid) {
    if (auto index = index_if([&](const Entry& e) { return e.info.uuid == identity.uuid; })) {
      return index;
    }
  }
  if (identity.pci) {
    // A UUID that is known to differ outweighs an equal address: several functions of a virtualised
    // card may share one.
    return index_if([&](const Entry& e) {
      const bool contradicts = by_uuid && has_uuid(e.info.uuid);
      return !contradicts && e.info.pci == identity.pci && e.info.tile == identity.tile;
    });
  }
  if (identity.handle == nullptr && !by_uuid) {
    return index_if([](const Entry& e) {
      return !e.info.known && e.handle == nullptr && !has_uuid(e.info.uuid) && !e.info.pci;
    });
  }
  return std::nullopt;
}

std::uint32_t DeviceTable::find_or_add(const DeviceIdentity& identity) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto index = find(identity)) return *index;
  DeviceInfo info;
  info.uuid = identity.uuid;
  info.pci = identity.pci;
  info.tile = identity.pci ? identity.tile : 0;
  entries_.push_back({std::move(info), identity.handle});
  return static_cast<std::uint32_t>(entries_.size() - 1);
}

std::size_t DeviceTable::size() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return entries_.size();
}

DeviceInfo DeviceTable::at(std::uint32_t index) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return entries_.at(index).info;
}

std::vector<DeviceInfo> DeviceTable::all() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<DeviceInfo> infos;
  infos.reserve(entries_.size());
  for (const Entry& entry : entries_) infos.push_back(entry.info);
  return infos;
}

}  // namespace proton_xpu
