#include "binding/scope_functions.h"

#include <memory>
#include <string_view>
#include <vector>

#include "binding/metric_values.h"
#include "binding/name_cache.h"
#include "binding/process_manager.h"
#include "binding/python_error.h"

namespace proton_xpu {
namespace {

bool profiling_on = false;
PyObject* metrics_recorder = nullptr;

constexpr const char* kPlacesName = "proton_xpu.MetricPlaces";

void delete_places(PyObject* capsule) {
  delete static_cast<std::vector<MetricPlace>*>(PyCapsule_GetPointer(capsule, kPlacesName));
}

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

std::vector<MetricPlace>* places_of(PyObject* capsule) {
  void* places = PyCapsule_GetPointer(capsule, kPlacesName);
  if (places == nullptr) {
    throw PythonErrorSet();
  }
  return static_cast<std::vector<MetricPlace>*>(places);
}

PyObject* new_metric_places(PyObject*, PyObject*) {
  return guarded([] {
    auto places = std::make_unique<std::vector<MetricPlace>>();
    PyObject* capsule = PyCapsule_New(places.get(), kPlacesName, delete_places);
    if (capsule != nullptr) {
      static_cast<void>(places.release());
    }
    return capsule;
  });
}

PyObject* defer_metrics(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  return guarded([&] {
    require_arguments("defer_metrics", count, 3);
    const bool is_deferred = process_manager().thread().defer_metrics(
        scope_id_of(arguments[1]), metrics_of(arguments[2]), places_of(arguments[0]));
    return PyBool_FromLong(is_deferred);
  });
}

PyObject* settle_metrics(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  return guarded([&] {
    require_arguments("settle_metrics", count, 2);
    proton_xpu::settle_metrics(*places_of(arguments[0]), metrics_of(arguments[1]));
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

PyObject* set_metrics_recorder(PyObject*, PyObject* function) {
  PyObject* previous = metrics_recorder;
  metrics_recorder = Py_NewRef(function);
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
    {"new_metric_places", new_metric_places, METH_NOARGS,
     "new_metric_places()\n--\n\nWhere metrics go that are put off; nowhere at first."},
    {"defer_metrics", fast(defer_metrics), METH_FASTCALL,
     "defer_metrics(places, scope_id, zeros, /)\n--\n\nAdd zeros for values that come later, and "
     "note the places. False if a trace is active: nothing is added then."},
    {"settle_metrics", fast(settle_metrics), METH_FASTCALL,
     "settle_metrics(places, values, /)\n--\n\nAdd the values to what was put off."},
    {"set_profiling_on", set_profiling_on, METH_O,
     "set_profiling_on(on, /)\n--\n\nWhat Scope tests on entry."},
    {"set_metrics_recorder", set_metrics_recorder, METH_O,
     "set_metrics_recorder(function, /)\n--\n\nWhat Scope gives its id and its metrics to."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_scope_functions(PyObject* module) { return PyModule_AddFunctions(module, functions) == 0; }

bool is_profiling_on() { return profiling_on; }

void record_metrics(ScopeId scope, PyObject* metrics) {
  if (metrics_recorder == nullptr) {
    process_manager().thread().add_metrics(scope, metrics_of(metrics));
    return;
  }
  PyObject* id = PyLong_FromUnsignedLongLong(scope);
  PyObject* result = id == nullptr
                         ? nullptr
                         : PyObject_CallFunctionObjArgs(metrics_recorder, id, metrics, nullptr);
  Py_XDECREF(id);
  if (result == nullptr) {
    throw PythonErrorSet();
  }
  Py_DECREF(result);
}

}  // namespace proton_xpu
