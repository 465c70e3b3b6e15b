// The session manager of this process, put together from the tracers and the device table.
#pragma once

#include "session/session_manager.h"

namespace proton_xpu {

/// Made at the first call and never destroyed: tracers may deliver until the very end of the
/// process. A forked child gets a manager of its own, without any session.
SessionManager& process_manager();

/// The package's version, as the build was told.
const char* package_version();

}  // namespace proton_xpu
