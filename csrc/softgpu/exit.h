// A clean end of the process while commands are in flight.
#pragma once

namespace softgpu {

/// Registers, once, what finishes all queued work at process exit: now, and again when the OpenCL
/// runtime has come up, so that the work ends before that runtime tears itself down.
void register_exit_handler();

}  // namespace softgpu
