// A tree as MessagePack: what hatchet_json says, but for leaves without any metric, which are left
// out. A node that becomes childless that way stays.
#pragma once

#include <string>

#include "data/device_facts.h"
#include "data/tree_snapshot.h"
#include "format/profile_metadata.h"

namespace proton_xpu {

/// `metadata` may be null; then the bytes hold exactly what Proton's do.
std::string hatchet_msgpack(const TreeSnapshot& tree, const DeviceFactsProvider& device_facts,
                            const ProfileMetadata* metadata);

}  // namespace proton_xpu
