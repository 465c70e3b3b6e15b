#include "binding/scope_type.h"

#include <structmember.h>

#include <cstddef>

#include "binding/name_cache.h"
#include "binding/process_manager.h"
#include "binding/python_error.h"
#include "binding/scope_functions.h"

namespace proton_xpu {
namespace {

struct ScopeObject {
  PyObject_HEAD PyObject* name;
  PyObject* metrics;
  ScopeId id;      // 0: never entered.
  NameId name_id;  // That under which it was entered.
  bool is_open;
};

ScopeObject* scope_of(PyObject* self) { return reinterpret_cast<ScopeObject*>(self); }

void set_fields(ScopeObject* scope, PyObject* name, PyObject* metrics) {
  Py_XSETREF(scope->name, Py_NewRef(name));
  Py_XSETREF(scope->metrics, Py_NewRef(metrics));
  scope->id = 0;
  scope->is_open = false;
}

PyObject* scope_new(PyTypeObject* type, PyObject*, PyObject*) {
  PyObject* self = type->tp_alloc(type, 0);
  if (self != nullptr) {
    set_fields(scope_of(self), Py_None, Py_None);
  }
  return self;
}

int scope_init(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"name", "metrics", nullptr};
  PyObject* name = nullptr;
  PyObject* metrics = Py_None;
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O:Scope", const_cast<char**>(names),
                                  &name, &metrics) == 0) {
    return -1;
  }
  set_fields(scope_of(self), name, metrics);
  return 0;
}

PyObject* scope_from_general_call(PyTypeObject* type, PyObject* const* arguments, Py_ssize_t count,
                                  PyObject* keyword_names) {
  PyObject* positional = PyTuple_New(count);
  PyObject* keywords = PyDict_New();
  PyObject* self = nullptr;
  if (positional != nullptr && keywords != nullptr) {
    for (Py_ssize_t i = 0; i < count; ++i) {
      PyTuple_SET_ITEM(positional, i, Py_NewRef(arguments[i]));
    }
    bool is_good = true;
    const Py_ssize_t keyword_count = keyword_names == nullptr ? 0 : PyTuple_GET_SIZE(keyword_names);
    for (Py_ssize_t i = 0; i < keyword_count && is_good; ++i) {
      is_good =
          PyDict_SetItem(keywords, PyTuple_GET_ITEM(keyword_names, i), arguments[count + i]) == 0;
    }
    self = is_good ? scope_new(type, nullptr, nullptr) : nullptr;
    if (self != nullptr && scope_init(self, positional, keywords) != 0) {
      Py_CLEAR(self);
    }
  }
  Py_XDECREF(positional);
  Py_XDECREF(keywords);
  return self;
}

// The usual calls, `Scope(name)` and `Scope(name, metrics)`, without a tuple and a dict.
PyObject* scope_vectorcall(PyObject* type, PyObject* const* arguments, std::size_t flagged_count,
                           PyObject* keyword_names) {
  auto* scope_type = reinterpret_cast<PyTypeObject*>(type);
  const Py_ssize_t count = PyVectorcall_NARGS(flagged_count);
  if (keyword_names != nullptr || count < 1 || count > 2) {
    return scope_from_general_call(scope_type, arguments, count, keyword_names);
  }
  PyObject* self = scope_type->tp_alloc(scope_type, 0);
  if (self != nullptr) {
    set_fields(scope_of(self), arguments[0], count == 2 ? arguments[1] : Py_None);
  }
  return self;
}

void scope_dealloc(PyObject* self) {
  Py_XDECREF(scope_of(self)->name);
  Py_XDECREF(scope_of(self)->metrics);
  Py_TYPE(self)->tp_free(self);
}

void enter(ScopeObject* scope) {
  ThreadContext& thread = process_manager().thread();
  scope->name_id = name_of(scope->name);
  scope->id = process_manager().new_scope_id();
  thread.enter_scope(scope->id, scope->name_id);
  scope->is_open = true;
  if (scope->metrics == Py_None) {
    return;
  }
  try {
    record_metrics(scope->id, scope->metrics);
  } catch (...) {
    // A with statement whose __enter__ raises calls no __exit__.
    scope->is_open = false;
    thread.exit_scope(scope->id, scope->name_id);
    throw;
  }
}

PyObject* scope_enter(PyObject* self, PyObject*) {
  if (!is_profiling_on()) {
    return Py_NewRef(self);
  }
  return guarded([self] {
    enter(scope_of(self));
    return Py_NewRef(self);
  });
}

PyObject* scope_exit(PyObject* self, PyObject* const*, Py_ssize_t) {
  ScopeObject* scope = scope_of(self);
  if (!scope->is_open || !is_profiling_on()) {
    return Py_NewRef(Py_None);
  }
  return guarded([scope] {
    scope->is_open = false;
    process_manager().thread().exit_scope(scope->id, scope->name_id);
    return Py_NewRef(Py_None);
  });
}

// The wrapper of a decorated function is a Python function, so that everything that looks at
// functions takes it for one.
PyObject* scope_call(PyObject* self, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"func", nullptr};
  PyObject* function = nullptr;
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "O:__call__", const_cast<char**>(names),
                                  &function) == 0) {
    return nullptr;
  }
  PyObject* module = PyImport_ImportModule("proton_xpu._scope_decorator");
  if (module == nullptr) {
    return nullptr;
  }
  PyObject* wrapper = PyObject_CallMethod(module, "decorate", "OO", self, function);
  Py_DECREF(module);
  return wrapper;
}

PyObject* scope_id(PyObject* self, void*) {
  const ScopeId id = scope_of(self)->id;
  return id == 0 ? Py_NewRef(Py_None) : PyLong_FromUnsignedLongLong(id);
}

PyMethodDef methods[] = {
    {"__enter__", scope_enter, METH_NOARGS, "__enter__($self, /)\n--\n\nOpen the scope."},
    {"__exit__",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(
         static_cast<PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t)>(scope_exit))),
     METH_FASTCALL, "__exit__($self, exc_type, exc, tb, /)\n--\n\nClose the scope."},
    {nullptr, nullptr, 0, nullptr}};

PyMemberDef members[] = {
    {"name", T_OBJECT, offsetof(ScopeObject, name), 0, "The scope's name."},
    {"metrics", T_OBJECT, offsetof(ScopeObject, metrics), 0, "Metrics to add on entry, or None."},
    {nullptr, 0, 0, 0, nullptr}};

PyGetSetDef properties[] = {
    {"id", scope_id, nullptr, "The id of the last entry, or None.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyTypeObject scope_type{};

}  // namespace

bool add_scope_type(PyObject* module) {
  scope_type.ob_base = PyVarObject{PyObject_HEAD_INIT(nullptr) 0};
  scope_type.tp_name = "proton_xpu._native.Scope";
  scope_type.tp_doc =
      "Scope(name, metrics=None)\n--\n\n"
      "Context manager and decorator: a named region under which launches appear.";
  scope_type.tp_basicsize = sizeof(ScopeObject);
  scope_type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
  scope_type.tp_new = scope_new;
  scope_type.tp_init = scope_init;
  scope_type.tp_dealloc = scope_dealloc;
  scope_type.tp_vectorcall = scope_vectorcall;
  scope_type.tp_call = scope_call;
  scope_type.tp_methods = methods;
  scope_type.tp_members = members;
  scope_type.tp_getset = properties;
  if (PyType_Ready(&scope_type) != 0) {
    return false;
  }
  return PyModule_AddObjectRef(module, "Scope", reinterpret_cast<PyObject*>(&scope_type)) == 0;
}

}  // namespace proton_xpu
