// Runs OpenCL C on the CPU runtime, so that generated code can be compared with plain C++.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "softgpu/opencl_runtime.h"

namespace softgpu {

/// A program made of OpenCL C source.
class OpenclHarness {
 public:
  explicit OpenclHarness(const std::string& source) {
    std::string error;
    runtime_ = OpenclRuntime::get(error);
    if (runtime_ == nullptr) {
      ADD_FAILURE() << error;
      return;
    }
    cl_int code = CL_SUCCESS;
    const char* text = source.c_str();
    program_ = runtime_->create_program_with_source(runtime_->context, 1, &text, nullptr, &code);
    code =
        runtime_->build_program(program_, 1, &runtime_->device, "-cl-std=CL3.0", nullptr, nullptr);
    EXPECT_EQ(code, CL_SUCCESS) << build_log() << source;
    queue_ = runtime_->create_queue(runtime_->context, runtime_->device, nullptr, &code);
    EXPECT_EQ(code, CL_SUCCESS);
  }
  OpenclHarness(const OpenclHarness&) = delete;
  OpenclHarness& operator=(const OpenclHarness&) = delete;
  ~OpenclHarness() {
    if (runtime_ == nullptr) return;
    runtime_->release_queue(queue_);
    runtime_->release_program(program_);
  }

  /// Runs one group of `items` work items; the arguments are pointers to host memory and ints.
  template <typename... Arguments>
  void run(const std::string& kernel_name, std::size_t items, Arguments... arguments) {
    ASSERT_NE(runtime_, nullptr);
    cl_int code = CL_SUCCESS;
    const cl_kernel kernel = runtime_->create_kernel(program_, kernel_name.c_str(), &code);
    ASSERT_EQ(code, CL_SUCCESS) << kernel_name;
    cl_uint index = 0;
    (set(kernel, index++, arguments), ...);
    cl_event event = nullptr;
    ASSERT_EQ(
        runtime_->enqueue_kernel(queue_, kernel, 1, nullptr, &items, &items, 0, nullptr, &event),
        CL_SUCCESS)
        << kernel_name;
    EXPECT_EQ(runtime_->wait_for_events(1, &event), CL_SUCCESS);
    runtime_->release_event(event);
    runtime_->release_kernel(kernel);
  }

 private:
  template <typename T>
  void set(cl_kernel kernel, cl_uint index, T* pointer) {
    EXPECT_EQ(runtime_->set_kernel_arg_svm_pointer(kernel, index, pointer), CL_SUCCESS);
  }
  void set(cl_kernel kernel, cl_uint index, cl_int value) {
    EXPECT_EQ(runtime_->set_kernel_arg(kernel, index, sizeof value, &value), CL_SUCCESS);
  }

  std::string build_log() const {
    std::string log(1 << 16, '\0');
    runtime_->get_program_build_info(program_, runtime_->device, CL_PROGRAM_BUILD_LOG, log.size(),
                                     log.data(), nullptr);
    return log.substr(0, log.find('\0'));
  }

  const OpenclRuntime* runtime_ = nullptr;
  cl_program program_ = nullptr;
  cl_command_queue queue_ = nullptr;
};

}  // namespace softgpu
