// A tree as the JSON that hatchet and Proton's viewer read: `[root, devices]`.
#pragma once

#include <string>

#include "data/device_facts.h"
#include "data/tree_snapshot.h"
#include "format/profile_metadata.h"

namespace proton_xpu {

enum class JsonLayout {
  kIndented,  ///< Starts with a newline, four blanks a level, ends with a newline.
  kCompact    ///< One line without its end.
};

/// `metadata` may be null; then the file has exactly what Proton's has.
std::string hatchet_json(const TreeSnapshot& tree, const DeviceFactsProvider& device_facts,
                         const ProfileMetadata* metadata, JsonLayout layout);

}  // namespace proton_xpu
