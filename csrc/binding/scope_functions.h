// What is called once a scope or a launch: written against the C API, since a call through
// pybind11 costs more than the work behind it.
#pragma once

#include <Python.h>

namespace proton_xpu {

/// Adds record_scope, enter_scope, exit_scope, enter_op, exit_op, enter_state, exit_state,
/// add_metrics, set_profiling_on and set_metrics_normalizer. Returns false with an exception set.
bool add_scope_functions(PyObject* module);

/// Whether profiling is on, as set_profiling_on said last. The caller holds the GIL.
bool is_profiling_on();

/// `metrics` through the normalizer, if one is set: a new reference, or null with an exception.
PyObject* normalized_metrics(PyObject* metrics);

}  // namespace proton_xpu
