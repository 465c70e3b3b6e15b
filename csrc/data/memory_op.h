// How copies and fills are named.
#pragma once

#include <string>

#include "tracer/tracer.h"

namespace proton_xpu {

/// "H2D" and the like; "unknown" if the tracer does not tell.
const char* direction_name(CopyDirection direction);

/// `<memcpy:H2D>` and the like, `<memcpy>` if the direction is unknown, `<memset>` for a fill.
std::string memory_op_name(const Activity& activity);

}  // namespace proton_xpu
