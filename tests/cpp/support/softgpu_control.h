// The software device's control interface, reached in the driver library that the loader uses.
#pragma once

#include "softgpu/control.h"

namespace proton_xpu::testing {

/// Functions of softgpu/control.h. Throws std::runtime_error if ZE_ENABLE_ALT_DRIVERS names no
/// such driver.
struct SoftgpuControl {
  SoftgpuControl();

  decltype(&softgpu_set_clock) set_clock;
  decltype(&softgpu_set_execution) set_execution;
  decltype(&softgpu_script_push) script_push;
  decltype(&softgpu_script_clear) script_clear;
  decltype(&softgpu_get_count) get_count;
  decltype(&softgpu_drain) drain;
};

}  // namespace proton_xpu::testing
