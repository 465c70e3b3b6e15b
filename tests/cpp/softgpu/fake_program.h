// Kernels for tests of the driver core: a program that needs no compiler and runs C++ functions.
#pragma once

#include <level_zero/ze_api.h>

#include <string>

namespace softgpu::testing {

/// The "SPIR-V" of a fake module: one line per kernel, its name and a letter per argument: v a
/// value, p a pointer, l local memory. Four names do something:
///   call vp   calls the function whose address is the value with the pointer
///   fail      fails
///   throw     throws
///   noop      does nothing, as does any other name
/// A module that begins with "broken" does not build, one that begins with "native" is no SPIR-V.
inline const std::string kFakeModule = "call vp\nfail\nthrow\nnoop\nother\nargs vpl\ntile r\n";

/// What an argument of "call" points to.
using Callback = void (*)(void*);

/// Arguments of the last run of "args", as text.
std::string last_arguments();

}  // namespace softgpu::testing
