// Modules, build logs, kernels and their launches.
#pragma once

#include <level_zero/ze_api.h>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "softgpu/command.h"
#include "softgpu/handle.h"
#include "softgpu/program.h"

namespace softgpu {

class Device;

class Module : public Object {
 public:
  static constexpr HandleKind kKind = HandleKind::kModule;

  Module(std::shared_ptr<Device> device, std::shared_ptr<Program> program,
         std::vector<std::uint8_t> binary)
      : device_(std::move(device)),
        program_(std::move(program)),
        binary_(std::move(binary)),
        kernel_names_(program_->kernel_names()) {}

  const std::shared_ptr<Device>& device() const { return device_; }
  Program& program() const { return *program_; }
  const std::vector<std::string>& kernel_names() const { return kernel_names_; }

  /// The SPIR-V of the first module: what stands for the native binary.
  const std::vector<std::uint8_t>& binary() const { return binary_; }

 private:
  std::shared_ptr<Device> device_;
  std::shared_ptr<Program> program_;
  std::vector<std::uint8_t> binary_;
  std::vector<std::string> kernel_names_;
};

class ModuleBuildLog : public Object {
 public:
  static constexpr HandleKind kKind = HandleKind::kModuleBuildLog;

  explicit ModuleBuildLog(std::string text) : text_(std::move(text)) {}
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class Kernel : public Object {
 public:
  static constexpr HandleKind kKind = HandleKind::kKernel;

  Kernel(std::shared_ptr<Device> device, std::unique_ptr<ExecutableKernel> executable);

  const Device& device() const { return *device_; }
  const KernelInfo& info() const { return executable_->info(); }

  ze_result_t set_argument(std::uint32_t index, std::size_t size, const void* value);
  ze_result_t set_group_size(const std::array<std::uint32_t, 3>& size);
  void set_global_offset(const std::array<std::uint32_t, 3>& offset);

  ze_kernel_indirect_access_flags_t indirect_access() const { return indirect_access_; }
  void set_indirect_access(ze_kernel_indirect_access_flags_t flags) { indirect_access_ = flags; }

  /// A launch with the arguments as they are now. Launches with nothing changed in between share
  /// one operation.
  ze_result_t launch(const ze_group_count_t& groups, std::shared_ptr<const Operation>& operation);

  /// The same, with the group count read from memory when the launch runs.
  ze_result_t launch_indirect(const ze_group_count_t* groups,
                              std::shared_ptr<const Operation>& operation);

 private:
  ze_result_t check_launch() const;

  std::shared_ptr<Device> device_;
  std::shared_ptr<ExecutableKernel> executable_;
  ScriptEntries* script_entries_;
  ze_kernel_indirect_access_flags_t indirect_access_ = 0;

  std::mutex mutex_;  // Guards what follows: SYCL shares kernels between threads.
  KernelArguments arguments_;
  std::shared_ptr<const Operation> last_launch_;  // Null once anything has changed.
};

}  // namespace softgpu
