// What a JSON profile says of itself.
#pragma once

#include "data/device_facts.h"
#include "format/json_writer.h"
#include "format/profile_metadata.h"

namespace proton_xpu {

/// `accounting`, `tracer` and `version`, into the object that is open.
void write_metadata_fields(const ProfileMetadata& metadata, JsonWriter* json);

/// An object of a device's facts.
void write_device_facts(const DeviceFacts& facts, JsonWriter* json);

}  // namespace proton_xpu
