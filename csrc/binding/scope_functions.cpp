#include "binding/scope_functions.h"

#include <string_view>

#include "binding/metric_values.h"
#include "binding/name_cache.h"
#include "binding/process_manager.h"
#include "binding/python_error.h"

namespace proton_xpu {
namespace {

bool profiling_on = false;
PyObject* metrics_normalizer = nullptr;

void require_arguments(const char* function, Py_ssize_t count, Py_ssize_t expected) {
  if (count != expected) {
    PyErr_Format(PyExc_TypeError, "%s() takes %zd arguments, not %zd", function, expected, count);
    throw PythonErrorSet();
  }
}

ScopeId scope_id_of(PyObject* object) {
  const unsigned long long id = PyLong_AsUnsignedLongLong(object);
  if (id == static_cast<unsigned long long>(-1) && PyErr_Occurred() != nullptr) {
    throw PythonErrorSet();
  }
  return id;
}

PyObject* none() { return Py_NewRef(Py_None); }

PyObject* record_scope(PyObject*, PyObject*) {
  return guarded([] { return PyLong_FromUnsignedLongLong(process_manager().new_scope_id()); });
}

PyObject* enter_scope(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  return guarded([&] {
    require_arguments("enter_scope", count, 2);
    process_manager().thread().enter_scope(scope_id_of(arguments[0]), name_of(arguments[1]));
    return none();
  });
}

PyObject* exit_scope(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  return guarded([&] {
    require_arguments("exit_scope", count, 2);
    process_manager().thread().exit_scope(scope_id_of(arguments[0]), name_of(arguments[1]));
    return none();
  });
}

PyObject* enter_op(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  return guarded([&] {
    require_arguments("enter_op", count, 2);
    scope_id_of(arguments[0]);
    process_manager().thread().enter_op(name_of(arguments[1]));
    return none();
  });
}

PyObject* exit_op(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  return guarded([&] {
    require_arguments("exit_op", count, 2);
    scope_id_of(arguments[0]);
    name_of(arguments[1]);
    process_manager().thread().exit_op();
    return none();
  });
}

PyObject* enter_state(PyObject*, PyObject* name) {
  return guarded([&] {
    process_manager().thread().enter_state(NameTable::instance().text(name_of(name)));
    return none();
  });
}

PyObject* exit_state(PyObject*, PyObject*) {
  return guarded([] {
    process_manager().thread().exit_state();
    return none();
  });
}

PyObject* add_metrics(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  return guarded([&] {
    require_arguments("add_metrics", count, 2);
    const ScopeId scope = scope_id_of(arguments[0]);
    process_manager().thread().add_metrics(scope, metrics_of(arguments[1]));
    return none();
  });
}

PyObject* set_profiling_on(PyObject*, PyObject* on) {
  const int truth = PyObject_IsTrue(on);
  if (truth < 0) {
    return nullptr;
  }
  profiling_on = truth == 1;
  return none();
}

PyObject* set_metrics_normalizer(PyObject*, PyObject* function) {
  PyObject* previous = metrics_normalizer;
  metrics_normalizer = Py_NewRef(function);
  Py_XDECREF(previous);
  return none();
}

PyCFunction fast(PyObject* (*function)(PyObject*, PyObject* const*, Py_ssize_t)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyMethodDef functions[] = {
    {"record_scope", record_scope, METH_NOARGS,
     "record_scope()\n--\n\nA new scope id; ids start at 1."},
    {"enter_scope", fast(enter_scope), METH_FASTCALL,
     "enter_scope(scope_id, name, /)\n--\n\nOpen a scope in all active sessions."},
    {"exit_scope", fast(exit_scope), METH_FASTCALL,
     "exit_scope(scope_id, name, /)\n--\n\nClose the innermost scope, which must be this one."},
    {"enter_op", fast(enter_op), METH_FASTCALL,
     "enter_op(op_id, name, /)\n--\n\nBegin an operation, which stands for what it launches."},
    {"exit_op", fast(exit_op), METH_FASTCALL,
     "exit_op(op_id, name, /)\n--\n\nEnd the calling thread's operation."},
    {"enter_state", enter_state, METH_O,
     "enter_state(name, /)\n--\n\nSet the calling thread's state."},
    {"exit_state", exit_state, METH_NOARGS,
     "exit_state()\n--\n\nClear the calling thread's state."},
    {"add_metrics", fast(add_metrics), METH_FASTCALL,
     "add_metrics(scope_id, metrics, /)\n--\n\nAdd metrics to the thread's operation, or else to "
     "a scope."},
    {"set_profiling_on", set_profiling_on, METH_O,
     "set_profiling_on(on, /)\n--\n\nWhat Scope tests on entry."},
    {"set_metrics_normalizer", set_metrics_normalizer, METH_O,
     "set_metrics_normalizer(function, /)\n--\n\nWhat Scope calls on its metrics first."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_scope_functions(PyObject* module) { return PyModule_AddFunctions(module, functions) == 0; }

bool is_profiling_on() { return profiling_on; }

PyObject* normalized_metrics(PyObject* metrics) {
  if (metrics_normalizer == nullptr) {
    return Py_NewRef(metrics);
  }
  return PyObject_CallOneArg(metrics_normalizer, metrics);
}

}  // namespace proton_xpu
