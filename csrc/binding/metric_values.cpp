#include "binding/metric_values.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "binding/python_error.h"

namespace proton_xpu {
namespace {

struct DropReference {
  void operator()(PyObject* object) const { Py_DECREF(object); }
};
using Reference = std::unique_ptr<PyObject, DropReference>;

Reference checked(PyObject* object) {
  if (object == nullptr) {
    throw PythonErrorSet();
  }
  return Reference(object);
}

[[noreturn]] void refuse(PyObject* key, PyObject* value) {
  PyErr_Format(PyExc_TypeError,
               "add_metrics(): the value of the metric %R must be an int, a float or a list of "
               "them, not %.200s",
               key, Py_TYPE(value)->tp_name);
  throw PythonErrorSet();
}

double as_double(PyObject* number) {
  const double value = PyFloat_AsDouble(number);
  if (value == -1.0 && PyErr_Occurred() != nullptr) {
    throw PythonErrorSet();
  }
  return value;
}

// False if the int does not fit; then it is to be taken as a float.
bool as_int64(PyObject* number, std::int64_t* value) {
  int overflow = 0;
  *value = PyLong_AsLongLongAndOverflow(number, &overflow);
  if (*value == -1 && PyErr_Occurred() != nullptr) {
    throw PythonErrorSet();
  }
  return overflow == 0;
}

MetricValue scalar(PyObject* number) {
  std::int64_t integer = 0;
  if (PyLong_Check(number) && as_int64(number, &integer)) {
    return integer;
  }
  return as_double(number);
}

bool is_number(PyObject* object) { return PyLong_Check(object) || PyFloat_Check(object); }

MetricValue vector(PyObject* key, PyObject* list) {
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(list);
  PyObject** items = PySequence_Fast_ITEMS(list);
  std::vector<std::int64_t> integers;
  bool are_integers = true;
  for (Py_ssize_t i = 0; i < size; ++i) {
    if (!is_number(items[i])) {
      refuse(key, items[i]);
    }
    std::int64_t integer = 0;
    are_integers = are_integers && PyLong_Check(items[i]) && as_int64(items[i], &integer);
    integers.push_back(integer);
  }
  if (are_integers) {
    return integers;
  }
  std::vector<double> doubles;
  for (Py_ssize_t i = 0; i < size; ++i) {
    doubles.push_back(as_double(items[i]));
  }
  return doubles;
}

Metric metric(PyObject* key, PyObject* value) {
  Py_ssize_t size = 0;
  const char* name = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, &size) : nullptr;
  if (name == nullptr) {
    if (PyErr_Occurred() == nullptr) {
      PyErr_Format(PyExc_TypeError, "add_metrics(): a metric's name must be a str, not %.200s",
                   Py_TYPE(key)->tp_name);
    }
    throw PythonErrorSet();
  }
  Metric metric{std::string(name, static_cast<std::size_t>(size)), std::int64_t{0}};
  if (is_number(value)) {
    metric.value = scalar(value);
  } else if (PyList_Check(value) || PyTuple_Check(value)) {
    metric.value = vector(key, value);
  } else {
    refuse(key, value);
  }
  return metric;
}

}  // namespace

std::vector<Metric> metrics_of(PyObject* mapping) {
  Reference copy;
  if (!PyDict_CheckExact(mapping)) {
    copy = checked(PyDict_New());
    if (PyDict_Update(copy.get(), mapping) != 0) {
      PyErr_Clear();
      PyErr_Format(PyExc_TypeError, "add_metrics(): the metrics must be a mapping, not %.200s",
                   Py_TYPE(mapping)->tp_name);
      throw PythonErrorSet();
    }
    mapping = copy.get();
  }
  std::vector<Metric> metrics;
  metrics.reserve(static_cast<std::size_t>(PyDict_GET_SIZE(mapping)));
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  for (Py_ssize_t position = 0; PyDict_Next(mapping, &position, &key, &value) != 0;) {
    metrics.push_back(metric(key, value));
  }
  std::sort(metrics.begin(), metrics.end(),
            [](const Metric& a, const Metric& b) { return a.name < b.name; });
  return metrics;
}

}  // namespace proton_xpu
