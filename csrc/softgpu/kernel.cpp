#include "softgpu/kernel.h"

#include <algorithm>
#include <cstring>

#include "softgpu/driver.h"
#include "softgpu/script.h"
#include "softgpu/worker.h"

namespace softgpu {
namespace {

class KernelLaunch : public Operation {
 public:
  KernelLaunch(std::shared_ptr<ExecutableKernel> kernel, KernelArguments arguments,
               const ze_group_count_t* indirect_groups, ScriptEntries* script_entries)
      : kernel_(std::move(kernel)),
        arguments_(std::move(arguments)),
        indirect_groups_(indirect_groups),
        script_entries_(script_entries) {}

  std::string run(WorkerContext& context) const override {
    if (indirect_groups_ == nullptr) return run(context, arguments_);
    KernelArguments arguments = arguments_;
    arguments.group_count = {indirect_groups_->groupCountX, indirect_groups_->groupCountY,
                             indirect_groups_->groupCountZ};
    return run(context, arguments);
  }

  ScriptEntries* script_entries() const override { return script_entries_; }

 private:
  std::string run(WorkerContext& context, const KernelArguments& arguments) const {
    const auto& groups = arguments.group_count;
    if (std::find(groups.begin(), groups.end(), 0U) != groups.end()) return "";
    ExecutionQueue* queue = context.execution_queue();
    if (queue == nullptr) {
      return "Kernel " + kernel_->info().name + " was not run: there is no OpenCL CPU runtime.";
    }
    std::string error = kernel_->run(*queue, arguments);
    if (!error.empty()) error = "Kernel " + kernel_->info().name + " failed: " + error;
    return error;
  }

  std::shared_ptr<ExecutableKernel> kernel_;
  KernelArguments arguments_;
  const ze_group_count_t* indirect_groups_;
  ScriptEntries* script_entries_;
};

}  // namespace

Kernel::Kernel(std::shared_ptr<Device> device, std::unique_ptr<ExecutableKernel> executable)
    : device_(std::move(device)),
      executable_(std::move(executable)),
      script_entries_(Script::instance().entries_of(executable_->info().name)) {
  arguments_.values.resize(info().arguments.size());
  if (info().required_group_size[0] != 0) arguments_.group_size = info().required_group_size;
}

ze_result_t Kernel::set_argument(std::uint32_t index, std::size_t size, const void* value) {
  if (index >= info().arguments.size()) return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX;
  const ArgumentKind kind = info().arguments[index];
  if (kind == ArgumentKind::kValue && (value == nullptr || size == 0)) {
    return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE;
  }
  if (kind == ArgumentKind::kPointer && size != sizeof(void*)) {
    return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE;
  }

  const std::lock_guard<std::mutex> lock(mutex_);
  ArgumentValue& argument = arguments_.values[index];
  argument.set = true;
  switch (kind) {
    case ArgumentKind::kValue: {
      const auto* bytes = static_cast<const std::byte*>(value);
      if (argument.bytes.size() == size && std::memcmp(argument.bytes.data(), bytes, size) == 0) {
        return ZE_RESULT_SUCCESS;
      }
      argument.bytes.assign(bytes, bytes + size);
      break;
    }
    case ArgumentKind::kPointer: {
      void* pointer = nullptr;
      if (value != nullptr) std::memcpy(&pointer, value, sizeof(pointer));
      if (argument.pointer == pointer && last_launch_ != nullptr) return ZE_RESULT_SUCCESS;
      argument.pointer = pointer;
      break;
    }
    case ArgumentKind::kLocalMemory:
      // OpenCL knows no empty local memory.
      argument.local_memory_bytes = std::max<std::size_t>(size, 1);
      break;
  }
  last_launch_.reset();
  return ZE_RESULT_SUCCESS;
}

ze_result_t Kernel::set_group_size(const std::array<std::uint32_t, 3>& size) {
  const std::uint64_t limit = device_->profile().max_group_size;
  std::uint64_t items = 1;
  for (const std::uint32_t extent : size) {
    if (extent == 0 || extent > limit) return ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION;
    items *= extent;
  }
  if (items > limit) return ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION;
  if (info().required_group_size[0] != 0 && info().required_group_size != size) {
    return ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  if (arguments_.group_size != size) last_launch_.reset();
  arguments_.group_size = size;
  return ZE_RESULT_SUCCESS;
}

void Kernel::set_global_offset(const std::array<std::uint32_t, 3>& offset) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (arguments_.global_offset != offset) last_launch_.reset();
  arguments_.global_offset = offset;
}

ze_result_t Kernel::check_launch() const {
  std::uint64_t local_memory = info().local_memory_bytes;
  for (const ArgumentValue& argument : arguments_.values) {
    if (!argument.set) return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX;
    local_memory += argument.local_memory_bytes;
  }
  if (local_memory > device_->profile().shared_local_memory_bytes) {
    return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t Kernel::launch(const ze_group_count_t& groups,
                           std::shared_ptr<const Operation>& operation) {
  const std::array<std::uint32_t, 3> count{groups.groupCountX, groups.groupCountY,
                                           groups.groupCountZ};
  const std::lock_guard<std::mutex> lock(mutex_);
  if (last_launch_ == nullptr || arguments_.group_count != count) {
    if (const ze_result_t result = check_launch(); result != ZE_RESULT_SUCCESS) return result;
    arguments_.group_count = count;
    last_launch_ =
        std::make_shared<KernelLaunch>(executable_, arguments_, nullptr, script_entries_);
  }
  operation = last_launch_;
  return ZE_RESULT_SUCCESS;
}

ze_result_t Kernel::launch_indirect(const ze_group_count_t* groups,
                                    std::shared_ptr<const Operation>& operation) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const ze_result_t result = check_launch(); result != ZE_RESULT_SUCCESS) return result;
  operation = std::make_shared<KernelLaunch>(executable_, arguments_, groups, script_entries_);
  return ZE_RESULT_SUCCESS;
}

}  // namespace softgpu
