#include "tracer/pti/record_harvester.h"

#include <cstdint>

namespace proton_xpu {

RecordHarvester::~RecordHarvester() {
  if (command_list_ != nullptr) level_zero_.command_list_destroy(command_list_);
  if (context_ != nullptr) level_zero_.context_destroy(context_);
}

bool RecordHarvester::create() noexcept {
  if (level_zero_.command_list_host_synchronize == nullptr) return false;
  std::uint32_t count = 1;
  ze_driver_handle_t driver = nullptr;
  if (level_zero_.driver_get(&count, &driver) != ZE_RESULT_SUCCESS || count == 0) return false;
  count = 1;
  ze_device_handle_t device = nullptr;
  if (level_zero_.device_get(driver, &count, &device) != ZE_RESULT_SUCCESS || count == 0) {
    return false;
  }
  ze_context_desc_t context_description{};
  context_description.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC;
  if (context_ == nullptr &&
      level_zero_.context_create(driver, &context_description, &context_) != ZE_RESULT_SUCCESS) {
    return false;
  }
  ze_command_queue_desc_t queue_description{};
  queue_description.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  return level_zero_.command_list_create_immediate(context_, device, &queue_description,
                                                   &command_list_) == ZE_RESULT_SUCCESS;
}

bool RecordHarvester::harvest() noexcept {
  if (command_list_ == nullptr && !create()) return false;
  return level_zero_.command_list_host_synchronize(command_list_, 0) == ZE_RESULT_SUCCESS;
}

}  // namespace proton_xpu
