// Native errors as Python exceptions, for functions written against the C API.
#pragma once

#include <Python.h>

#include <exception>
#include <stdexcept>

namespace proton_xpu {

/// Thrown where a Python exception is already set.
struct PythonErrorSet {};

/// Sets the Python exception that fits the native one being handled.
inline void set_python_error() {
  try {
    throw;
  } catch (const PythonErrorSet&) {
  } catch (const std::invalid_argument& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const std::out_of_range& error) {
    PyErr_SetString(PyExc_IndexError, error.what());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

/// Calls `call`, which returns a new reference, and turns what it throws into a Python exception.
template <typename Call>
PyObject* guarded(Call&& call) noexcept {
  try {
    return call();
  } catch (...) {
    set_python_error();
    return nullptr;
  }
}

}  // namespace proton_xpu
