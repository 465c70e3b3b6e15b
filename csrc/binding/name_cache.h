// From Python strings to interned names, quickly.
#pragma once

#include <Python.h>

#include "context/name_table.h"

namespace proton_xpu {

/// The name of a Python string. The caller holds the GIL. A string object that was seen lately
/// costs a few nanoseconds. Throws PythonErrorSet with TypeError if `text` is no string.
NameId name_of(PyObject* text);

}  // namespace proton_xpu
