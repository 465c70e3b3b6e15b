// The driver, its devices and sub-devices, and contexts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "softgpu/clock.h"
#include "softgpu/device_profile.h"
#include "softgpu/handle.h"

namespace softgpu {

class Device : public Object {
 public:
  static constexpr HandleKind kKind = HandleKind::kDevice;

  /// `tile` < 0: a root device.
  Device(const DeviceProfile& profile, const DeviceClock& clock, std::uint32_t index, int tile,
         Device* root)
      : profile_(profile), clock_(clock), index_(index), tile_(tile), root_(root) {}

  const DeviceProfile& profile() const { return profile_; }
  const DeviceClock& clock() const { return clock_; }
  std::uint32_t index() const { return index_; }
  bool is_sub_device() const { return tile_ >= 0; }
  int tile() const { return tile_; }
  Device* root() const { return root_; }
  const std::vector<std::shared_ptr<Device>>& sub_devices() const { return sub_devices_; }

  /// How many tiles this device stands for.
  std::uint32_t tiles() const { return is_sub_device() ? 1 : profile_.tiles; }

 private:
  friend class Driver;
  const DeviceProfile& profile_;
  const DeviceClock& clock_;
  std::uint32_t index_;
  int tile_;
  Device* root_;
  std::vector<std::shared_ptr<Device>> sub_devices_;
};

class Driver : public Object {
 public:
  static constexpr HandleKind kKind = HandleKind::kDriver;

  /// The one driver; null if its profile cannot be used, which is logged once.
  static Driver* instance();

  const DeviceProfile& profile() const { return profile_; }
  const std::vector<std::shared_ptr<Device>>& devices() const { return devices_; }

 private:
  explicit Driver(DeviceProfile profile);
  static Driver* create();

  DeviceProfile profile_;
  DeviceClock clock_;
  std::vector<std::shared_ptr<Device>> devices_;
};

class Context : public Object {
 public:
  static constexpr HandleKind kKind = HandleKind::kContext;
};

}  // namespace softgpu
