#include "binding/name_cache.h"

#include <cstdint>

#include "binding/python_error.h"

namespace proton_xpu {
namespace {

// Entries hold a reference, so that a string of the same address is the same string.
struct CachedName {
  PyObject* text = nullptr;
  NameId name = 0;
};

constexpr std::size_t kEntries = 1024;
CachedName cache[kEntries];

NameId intern(PyObject* text) {
  Py_ssize_t size = 0;
  if (const char* utf8 = PyUnicode_AsUTF8AndSize(text, &size)) {
    return NameTable::instance().intern({utf8, static_cast<std::size_t>(size)});
  }
  PyErr_Clear();
  // Lone surrogates: the writers replace what is no UTF-8.
  PyObject* bytes = PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass");
  if (bytes == nullptr) {
    throw PythonErrorSet();
  }
  const NameId name = NameTable::instance().intern(
      {PyBytes_AS_STRING(bytes), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes))});
  Py_DECREF(bytes);
  return name;
}

}  // namespace

NameId name_of(PyObject* text) {
  // Objects are 16 bytes apart at least.
  CachedName& entry = cache[(reinterpret_cast<std::uintptr_t>(text) >> 4) % kEntries];
  if (entry.text == text) {
    return entry.name;
  }
  if (!PyUnicode_Check(text)) {
    PyErr_Format(PyExc_TypeError, "a name must be a str, not %.200s", Py_TYPE(text)->tp_name);
    throw PythonErrorSet();
  }
  const NameId name = intern(text);
  PyObject* previous = entry.text;
  Py_INCREF(text);
  entry = {text, name};
  Py_XDECREF(previous);
  return name;
}

}  // namespace proton_xpu
