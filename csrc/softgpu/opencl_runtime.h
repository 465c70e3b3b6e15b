// The OpenCL CPU runtime, opened at run time: it executes what the software device is told to run.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <string>

namespace softgpu {

/// The entry points in use and the one CPU device. Never destroyed: the runtime tears itself down
/// at exit, in an order that nobody can rely on.
struct OpenclRuntime {
  decltype(&::clGetPlatformIDs) get_platform_ids = nullptr;
  decltype(&::clGetDeviceIDs) get_device_ids = nullptr;
  decltype(&::clGetDeviceInfo) get_device_info = nullptr;
  decltype(&::clCreateContext) create_context = nullptr;
  decltype(&::clCreateCommandQueueWithProperties) create_queue = nullptr;
  decltype(&::clReleaseCommandQueue) release_queue = nullptr;
  decltype(&::clCreateProgramWithIL) create_program_with_il = nullptr;
  decltype(&::clCreateProgramWithSource) create_program_with_source = nullptr;
  decltype(&::clCreateProgramWithBinary) create_program_with_binary = nullptr;
  decltype(&::clSetProgramSpecializationConstant) set_specialization_constant = nullptr;
  decltype(&::clBuildProgram) build_program = nullptr;
  decltype(&::clCompileProgram) compile_program = nullptr;
  decltype(&::clLinkProgram) link_program = nullptr;
  decltype(&::clGetProgramInfo) get_program_info = nullptr;
  decltype(&::clGetProgramBuildInfo) get_program_build_info = nullptr;
  decltype(&::clReleaseProgram) release_program = nullptr;
  decltype(&::clCreateKernel) create_kernel = nullptr;
  decltype(&::clReleaseKernel) release_kernel = nullptr;
  decltype(&::clGetKernelWorkGroupInfo) get_kernel_work_group_info = nullptr;
  decltype(&::clSetKernelExecInfo) set_kernel_exec_info = nullptr;
  decltype(&::clSetKernelArg) set_kernel_arg = nullptr;
  decltype(&::clSetKernelArgSVMPointer) set_kernel_arg_svm_pointer = nullptr;
  decltype(&::clEnqueueNDRangeKernel) enqueue_kernel = nullptr;
  decltype(&::clWaitForEvents) wait_for_events = nullptr;
  decltype(&::clGetEventInfo) get_event_info = nullptr;
  decltype(&::clReleaseEvent) release_event = nullptr;
  /// Intel's extension; null if the runtime lacks it.
  cl_int(CL_API_CALL* get_global_variable)(cl_device_id, cl_program, const char*, std::size_t*,
                                           void**) = nullptr;

  cl_device_id device = nullptr;
  cl_context context = nullptr;
  std::string identity;  ///< Device name and driver version: what compiled code depends on.

  /// The one instance, opened by the first call. Null if it cannot be used; `error` then gets a
  /// sentence that says what to do. PROTON_XPU_OPENCL_RUNTIME names the library.
  static const OpenclRuntime* get(std::string& error);

  /// A device property as text; empty if there is none.
  std::string device_text(cl_device_info property) const;
};

/// The name of an OpenCL error code where it helps a reader, else its number.
std::string describe_opencl_error(cl_int code);

}  // namespace softgpu
