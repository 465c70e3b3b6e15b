// The tracer over Intel PTI (libpti_view), which is opened at run time and never linked.
#pragma once

#include <memory>
#include <string>

#include "device/device_table.h"
#include "tracer/tracer.h"

namespace proton_xpu {

/// Makes the PTI tracer; nothing is opened before its start(). At most one runs at a time.
/// `devices` receives the devices that are seen and outlives the tracer.
/// `library_path`: libpti_view of an installed package; PROTON_XPU_PTI_LIBRARY wins over it, and
/// if both are empty the dynamic loader searches for it.
std::unique_ptr<Tracer> make_pti_tracer(DeviceTable& devices, std::string library_path = {});

}  // namespace proton_xpu
