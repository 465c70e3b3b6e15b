#include "softgpu/opencl_runtime.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "softgpu/program.h"

namespace softgpu {
namespace {

constexpr const char* kLibrary = "libintelocl.so";

struct ExitHandler {
  std::mutex mutex;
  void (*function)() = nullptr;
  bool runtime_is_up = false;
};

ExitHandler& exit_handler() {
  static auto* handler = new ExitHandler;
  return *handler;
}

template <typename Function>
bool load(void* library, const char* name, Function& function, std::string& error) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function != nullptr) return true;
  error = std::string("the OpenCL CPU runtime has no ") + name +
          "; install a newer intel-opencl-rt package";
  return false;
}

bool load_all(void* library, OpenclRuntime& runtime, std::string& error) {
  const auto get = [&](const char* name, auto& function) {
    return load(library, name, function, error);
  };
  return get("clGetPlatformIDs", runtime.get_platform_ids) &&
         get("clGetDeviceIDs", runtime.get_device_ids) &&
         get("clGetDeviceInfo", runtime.get_device_info) &&
         get("clCreateContext", runtime.create_context) &&
         get("clCreateCommandQueueWithProperties", runtime.create_queue) &&
         get("clReleaseCommandQueue", runtime.release_queue) &&
         get("clCreateProgramWithIL", runtime.create_program_with_il) &&
         get("clCreateProgramWithSource", runtime.create_program_with_source) &&
         get("clCreateProgramWithBinary", runtime.create_program_with_binary) &&
         get("clSetProgramSpecializationConstant", runtime.set_specialization_constant) &&
         get("clBuildProgram", runtime.build_program) &&
         get("clCompileProgram", runtime.compile_program) &&
         get("clLinkProgram", runtime.link_program) &&
         get("clGetProgramInfo", runtime.get_program_info) &&
         get("clGetProgramBuildInfo", runtime.get_program_build_info) &&
         get("clReleaseProgram", runtime.release_program) &&
         get("clCreateKernel", runtime.create_kernel) &&
         get("clReleaseKernel", runtime.release_kernel) &&
         get("clGetKernelWorkGroupInfo", runtime.get_kernel_work_group_info) &&
         get("clSetKernelExecInfo", runtime.set_kernel_exec_info) &&
         get("clSetKernelArg", runtime.set_kernel_arg) &&
         get("clSetKernelArgSVMPointer", runtime.set_kernel_arg_svm_pointer) &&
         get("clEnqueueNDRangeKernel", runtime.enqueue_kernel) &&
         get("clWaitForEvents", runtime.wait_for_events) &&
         get("clGetEventInfo", runtime.get_event_info) &&
         get("clReleaseEvent", runtime.release_event);
}

bool open_device(OpenclRuntime& runtime, std::string& error) {
  cl_platform_id platform = nullptr;
  cl_uint count = 0;
  cl_int code = runtime.get_platform_ids(1, &platform, &count);
  if (code == CL_SUCCESS && count > 0) {
    code = runtime.get_device_ids(platform, CL_DEVICE_TYPE_CPU, 1, &runtime.device, &count);
  }
  if (code != CL_SUCCESS || count == 0) {
    error = "the OpenCL CPU runtime offers no device (" + describe_opencl_error(code) +
            "); reinstall the intel-opencl-rt package";
    return false;
  }
  runtime.context = runtime.create_context(nullptr, 1, &runtime.device, nullptr, nullptr, &code);
  if (code != CL_SUCCESS) {
    error = "the OpenCL CPU runtime gives no context (" + describe_opencl_error(code) + ")";
    return false;
  }
  return true;
}

/// From here on the runtime's own exit handlers exist; one registered now runs before them.
void register_exit_handler() {
  ExitHandler& handler = exit_handler();
  const std::lock_guard<std::mutex> lock(handler.mutex);
  handler.runtime_is_up = true;
  if (handler.function != nullptr) std::atexit(handler.function);
}

bool start(OpenclRuntime& runtime, std::string& error) {
  const char* path = std::getenv("PROTON_XPU_OPENCL_RUNTIME");
  const bool told = path != nullptr && *path != '\0';
  void* library = dlopen(told ? path : kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    error = std::string("the OpenCL CPU runtime cannot be opened (") +
            (reason != nullptr ? reason : "unknown reason") +
            "); install the intel-opencl-rt package or set PROTON_XPU_OPENCL_RUNTIME to the path "
            "of libintelocl.so";
    return false;
  }
  if (!load_all(library, runtime, error) || !open_device(runtime, error)) return false;
  runtime.get_global_variable = reinterpret_cast<decltype(runtime.get_global_variable)>(
      dlsym(library, "clGetDeviceGlobalVariablePointerINTEL"));
  runtime.identity = runtime.device_text(CL_DEVICE_NAME) + "; " +
                     runtime.device_text(CL_DRIVER_VERSION) + "; " +
                     runtime.device_text(CL_DEVICE_VERSION);
  register_exit_handler();
  return true;
}

}  // namespace

const OpenclRuntime* OpenclRuntime::get(std::string& error) {
  struct Result {
    OpenclRuntime runtime;
    std::string error;
    bool usable = false;
  };
  static const Result* result = [] {
    auto* opened = new Result;
    opened->usable = start(opened->runtime, opened->error);
    return opened;
  }();
  if (result->usable) return &result->runtime;
  error = result->error;
  return nullptr;
}

std::string OpenclRuntime::device_text(cl_device_info property) const {
  std::size_t size = 0;
  if (get_device_info(device, property, 0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
  std::string text(size, '\0');
  if (get_device_info(device, property, size, text.data(), nullptr) != CL_SUCCESS) return {};
  text.resize(size - 1);
  return text;
}

std::string describe_opencl_error(cl_int code) {
  static constexpr std::pair<cl_int, const char*> kNames[] = {
      {CL_OUT_OF_RESOURCES, "out of resources"},
      {CL_OUT_OF_HOST_MEMORY, "out of memory"},
      {CL_BUILD_PROGRAM_FAILURE, "the program does not build"},
      {CL_COMPILE_PROGRAM_FAILURE, "the program does not compile"},
      {CL_LINK_PROGRAM_FAILURE, "the program does not link"},
      {CL_INVALID_BINARY, "invalid binary"},
      {CL_INVALID_VALUE, "invalid value"},
      {CL_INVALID_ARG_SIZE, "wrong argument size"},
      {CL_INVALID_ARG_VALUE, "wrong argument value"},
      {CL_INVALID_KERNEL_ARGS, "an argument is not set"},
      {CL_INVALID_WORK_GROUP_SIZE, "wrong group size"},
      {CL_INVALID_WORK_ITEM_SIZE, "group too large"},
      {CL_INVALID_SPEC_ID, "no such specialization constant"},
  };
  for (const auto& entry : kNames) {
    if (entry.first == code) return entry.second;
  }
  return "OpenCL error " + std::to_string(code);
}

void set_exit_handler(void (*function)()) {
  ExitHandler& handler = exit_handler();
  const std::lock_guard<std::mutex> lock(handler.mutex);
  handler.function = function;
  if (handler.runtime_is_up && function != nullptr) std::atexit(function);
}

}  // namespace softgpu
