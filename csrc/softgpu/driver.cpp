#include "softgpu/driver.h"

#include <exception>
#include <utility>

#include "softgpu/exit.h"
#include "softgpu/log.h"

namespace softgpu {

Driver::Driver(DeviceProfile profile)
    : profile_(std::move(profile)),
      clock_(profile_.timer_hz, profile_.timestamp_valid_bits,
             profile_.kernel_timestamp_valid_bits) {
  HandleTable& handles = HandleTable::instance();
  for (std::uint32_t i = 0; i < profile_.devices; ++i) {
    auto device = std::make_shared<Device>(profile_, clock_, i, -1, nullptr);
    for (std::uint32_t tile = 0; profile_.tiles > 1 && tile < profile_.tiles; ++tile) {
      device->sub_devices_.push_back(
          std::make_shared<Device>(profile_, clock_, i, static_cast<int>(tile), device.get()));
      handles.create(Device::kKind, device->sub_devices_.back());
    }
    handles.create(Device::kKind, device);
    devices_.push_back(std::move(device));
  }
}

Driver* Driver::create() {
  try {
    std::shared_ptr<Driver> made(new Driver(DeviceProfile::load(DeviceProfile::default_path())));
    // Never destroyed: handles stay valid until the process is gone.
    static const std::shared_ptr<Driver>& driver = *new std::shared_ptr<Driver>(std::move(made));
    HandleTable::instance().create(Driver::kKind, driver);
    register_exit_handler();
    return driver.get();
  } catch (const std::exception& error) {
    log(error.what());
    return nullptr;
  }
}

Driver* Driver::instance() {
  static Driver* const driver = create();
  return driver;
}

}  // namespace softgpu
