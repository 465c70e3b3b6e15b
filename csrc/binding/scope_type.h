// The Python type `Scope`.
#pragma once

#include <Python.h>

namespace proton_xpu {

/// Adds the type to the module. Returns false with an exception set.
bool add_scope_type(PyObject* module);

}  // namespace proton_xpu
