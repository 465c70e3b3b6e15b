// What a profile says besides its tree: the devices, and what became of the launches.
#pragma once

#include <string>

#include "data/accounting.h"
#include "data/device_facts.h"
#include "tracer/tracer.h"

namespace proton_xpu {

/// Stands in the root node under `proton_xpu`, where readers of Proton's shape look for nothing.
struct ProfileMetadata {
  std::string version;  ///< Of proton_xpu.
  Accounting accounting;
  TracerInfo tracer;
};

inline constexpr char kMetadataKey[] = "proton_xpu";
inline constexpr char kDeviceType[] = "XPU";

}  // namespace proton_xpu
