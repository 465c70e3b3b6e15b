// The module proton_xpu._native: the session manager's interface in Python.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <map>
#include <string>
#include <vector>

#include "binding/device_facts.h"
#include "binding/frame_names.h"
#include "binding/process_manager.h"
#include "binding/scope_functions.h"
#include "binding/scope_type.h"
#include "context/frame_source.h"
#include "device/device_table.h"

namespace py = pybind11;

namespace proton_xpu {
namespace {

using ReleaseGil = py::call_guard<py::gil_scoped_release>;

void warn(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) {
    if (PyErr_WarnEx(PyExc_RuntimeWarning, sentence.c_str(), 1) != 0) {
      throw py::error_already_set();
    }
  }
}

template <typename Call>
void warn_of(Call&& call) {
  std::vector<std::string> sentences;
  {
    const py::gil_scoped_release release;
    sentences = call();
  }
  warn(sentences);
}

std::map<std::string, std::uint64_t> session_stats(int session) {
  std::map<std::string, std::uint64_t> stats;
  for (const auto& [name, value] : accounting_entries(process_manager().accounting(session))) {
    stats.emplace(name, value);
  }
  return stats;
}

py::dict tracer_info() {
  TracerInfo info;
  {
    const py::gil_scoped_release release;
    info = process_manager().tracer_info();
  }
  py::dict result;
  if (!info.backend.empty()) {
    result["backend"] = info.backend;
    result["library"] = info.library;
    result["version"] = info.version;
    result["notes"] = info.notes;
  }
  return result;
}

std::vector<DeviceFacts> devices() {
  DeviceTable& table = DeviceTable::process();
  table.load();
  std::vector<DeviceFacts> facts;
  for (const DeviceInfo& device : table.all()) {
    facts.push_back(device_facts(device));
  }
  return facts;
}

std::map<std::string, std::string> build_info() {
  return {{"version", package_version()}, {"compiler", __VERSION__}};
}

void add_session_functions(py::module_& module) {
  module.def(
      "start",
      [](const std::string& path, const std::string& context, const std::string& data,
         const std::string& backend, const std::string& mode) {
        return process_manager().start(path, context, data, backend, mode);
      },
      py::arg("path"), py::arg("context"), py::arg("data"), py::arg("backend"),
      py::arg("mode") = "", ReleaseGil());
  module.def(
      "activate", [](int session) { process_manager().activate(session); }, py::arg("session"),
      ReleaseGil());
  module.def("activate_all", [] { process_manager().activate_all(); }, ReleaseGil());
  module.def(
      "deactivate",
      [](int session, bool flushing) { process_manager().deactivate(session, flushing); },
      py::arg("session"), py::arg("flushing"), ReleaseGil());
  module.def(
      "deactivate_all", [](bool flushing) { process_manager().deactivate_all(flushing); },
      py::arg("flushing"), ReleaseGil());
  module.def(
      "finalize",
      [](int session, const std::string& format) {
        warn_of([&] { return process_manager().finalize(session, format); });
      },
      py::arg("session"), py::arg("output_format"));
  module.def(
      "finalize_all",
      [](const std::string& format) {
        warn_of([&] { return process_manager().finalize_all(format); });
      },
      py::arg("output_format"));
  module.def(
      "write",
      [](int session, const std::string& format) { process_manager().write(session, format); },
      py::arg("session"), py::arg("output_format"), ReleaseGil());
  module.def("get_available_profilers", [] { return process_manager().backends(); });
  module.def(
      "get_context_depth", [](int session) { return process_manager().depth(session); },
      py::arg("session"), ReleaseGil());
}

void add_data_functions(py::module_& module) {
  module.def(
      "get_data", [](int session, Phase phase) { return process_manager().json(session, phase); },
      py::arg("session"), py::arg("phase"), ReleaseGil());
  module.def(
      "get_data_msgpack",
      [](int session, Phase phase) {
        std::string bytes;
        {
          const py::gil_scoped_release release;
          bytes = process_manager().msgpack(session, phase);
        }
        return py::bytes(bytes);
      },
      py::arg("session"), py::arg("phase"));
  module.def(
      "clear_data",
      [](int session, Phase phase, bool up_to) {
        process_manager().clear_data(session, phase, up_to);
      },
      py::arg("session"), py::arg("phase"), py::arg("clear_up_to_phase") = false, ReleaseGil());
  module.def(
      "advance_data_phase", [](int session) { return process_manager().advance_phase(session); },
      py::arg("session"), ReleaseGil());
  module.def(
      "is_data_phase_complete",
      [](int session, Phase phase) { return process_manager().is_phase_complete(session, phase); },
      py::arg("session"), py::arg("phase"), ReleaseGil());
}

void add_information_functions(py::module_& module) {
  module.def("get_session_stats", &session_stats, py::arg("session"), ReleaseGil());
  module.def("get_tracer_info", &tracer_info);
  module.def("get_devices", &devices, ReleaseGil());
  module.def("build_info", &build_info);
}

}  // namespace

PYBIND11_MODULE(_native, module) {
  module.doc() = "The native module of proton_xpu: session core, tracers and writers.";
  if (!add_scope_functions(module.ptr()) || !add_scope_type(module.ptr())) {
    throw py::error_already_set();
  }
  set_frame_walker(python_frame_names);
  add_session_functions(module);
  add_data_functions(module);
  add_information_functions(module);
}

}  // namespace proton_xpu
