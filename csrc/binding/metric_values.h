// Metrics from Python.
#pragma once

#include <Python.h>

#include <vector>

#include "data/metric.h"

namespace proton_xpu {

/// Reads a mapping of str to int, float, or a list or tuple of them. bool counts as int, an int
/// beyond 64 bits as float, a list with any float as floats. They come back sorted by name. The
/// caller holds the GIL. Throws PythonErrorSet with TypeError for anything else.
std::vector<Metric> metrics_of(PyObject* mapping);

}  // namespace proton_xpu
