// Python frames as context names.
#pragma once

#include <vector>

#include "context/name_table.h"

namespace proton_xpu {

/// The frames of the calling thread as `<file>:<line>@<function>`, the outermost first. Needs no
/// interpreter lock. A frame seen before costs some tens of nanoseconds.
void python_frame_names(std::vector<NameId>& names);

}  // namespace proton_xpu
