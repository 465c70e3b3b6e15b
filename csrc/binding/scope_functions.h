// What is called once a scope or a launch: written against the C API, since a call through
// pybind11 costs more than the work behind it.
#pragma once

#include <Python.h>

#include "context/scope_stack.h"

namespace proton_xpu {

/// Adds record_scope, enter_scope, exit_scope, enter_op, exit_op, enter_state, exit_state,
/// add_metrics, defer_metric, settle_metric, set_profiling_on and set_metrics_recorder. Returns
/// false with an exception set.
bool add_scope_functions(PyObject* module);

/// Whether profiling is on, as set_profiling_on said last. The caller holds the GIL.
bool is_profiling_on();

/// Adds `metrics` to a scope through the recorder, if one is set. Throws PythonErrorSet.
void record_metrics(ScopeId scope, PyObject* metrics);

}  // namespace proton_xpu
