// A small Level Zero application for tests and benchmarks: it uses the loader as any program does,
// except that it opens it at run time.
#pragma once

#include <level_zero/ze_api.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace proton_xpu::testing {

/// Loader functions, by their names in the specification without "ze".
struct LoaderFunctions {
  /// Opens PROTON_XPU_LEVEL_ZERO_LOADER, else the system's loader. Throws std::runtime_error.
  LoaderFunctions();

  decltype(&zeInit) Init;
  decltype(&zeDriverGet) DriverGet;
  decltype(&zeDeviceGet) DeviceGet;
  decltype(&zeContextCreate) ContextCreate;
  decltype(&zeContextDestroy) ContextDestroy;
  decltype(&zeCommandQueueCreate) CommandQueueCreate;
  decltype(&zeCommandQueueDestroy) CommandQueueDestroy;
  decltype(&zeCommandQueueExecuteCommandLists) CommandQueueExecuteCommandLists;
  decltype(&zeCommandQueueSynchronize) CommandQueueSynchronize;
  decltype(&zeCommandListCreate) CommandListCreate;
  decltype(&zeCommandListCreateImmediate) CommandListCreateImmediate;
  decltype(&zeCommandListClose) CommandListClose;
  decltype(&zeCommandListDestroy) CommandListDestroy;
  decltype(&zeCommandListHostSynchronize) CommandListHostSynchronize;
  decltype(&zeCommandListAppendLaunchKernel) CommandListAppendLaunchKernel;
  decltype(&zeCommandListAppendMemoryCopy) CommandListAppendMemoryCopy;
  decltype(&zeCommandListAppendMemoryFill) CommandListAppendMemoryFill;
  decltype(&zeEventPoolCreate) EventPoolCreate;
  decltype(&zeEventPoolDestroy) EventPoolDestroy;
  decltype(&zeEventCreate) EventCreate;
  decltype(&zeEventDestroy) EventDestroy;
  decltype(&zeEventHostSignal) EventHostSignal;
  decltype(&zeEventHostReset) EventHostReset;
  decltype(&zeEventHostSynchronize) EventHostSynchronize;
  decltype(&zeModuleCreate) ModuleCreate;
  decltype(&zeModuleDestroy) ModuleDestroy;
  decltype(&zeKernelCreate) KernelCreate;
  decltype(&zeKernelDestroy) KernelDestroy;
  decltype(&zeKernelSetGroupSize) KernelSetGroupSize;
  decltype(&zeMemAllocDevice) MemAllocDevice;
  decltype(&zeMemAllocHost) MemAllocHost;
  decltype(&zeMemAllocShared) MemAllocShared;
  decltype(&zeMemFree) MemFree;
};

/// One context on the first device of the first driver. Every call throws std::runtime_error with
/// the failing function's name. What it makes is destroyed with it.
class LevelZeroApp {
 public:
  /// With one empty kernel for each name.
  explicit LevelZeroApp(const std::vector<std::string>& kernel_names);
  ~LevelZeroApp();
  LevelZeroApp(const LevelZeroApp&) = delete;
  LevelZeroApp& operator=(const LevelZeroApp&) = delete;

  const LoaderFunctions& functions() const { return ze_; }
  ze_device_handle_t device() const { return devices_.at(0); }
  const std::vector<ze_device_handle_t>& devices() const { return devices_; }
  ze_kernel_handle_t kernel(std::size_t index) const { return kernels_.at(index); }

  ze_command_list_handle_t make_immediate_list();
  ze_command_list_handle_t make_list();
  ze_command_queue_handle_t make_queue();

  /// Host visible, without kernel timestamps, as the SYCL runtime makes them without profiling.
  std::vector<ze_event_handle_t> make_events(std::uint32_t count);

  void* allocate_device(std::size_t bytes);
  void* allocate_host(std::size_t bytes);
  void* allocate_shared(std::size_t bytes);

  void launch(ze_command_list_handle_t list, std::size_t kernel_index,
              ze_event_handle_t signal = nullptr);
  void copy(ze_command_list_handle_t list, void* destination, const void* source,
            std::size_t bytes);
  void fill(ze_command_list_handle_t list, void* destination, std::size_t bytes);

  void wait(ze_command_list_handle_t list);
  void close(ze_command_list_handle_t list);
  void execute(ze_command_queue_handle_t queue, ze_command_list_handle_t list);
  void wait(ze_command_queue_handle_t queue);

 private:
  LoaderFunctions ze_;
  ze_context_handle_t context_ = nullptr;
  std::vector<ze_device_handle_t> devices_;
  ze_module_handle_t module_ = nullptr;
  std::vector<ze_kernel_handle_t> kernels_;
  std::vector<ze_command_list_handle_t> lists_;
  std::vector<ze_command_queue_handle_t> queues_;
  std::vector<ze_event_pool_handle_t> pools_;
  std::vector<ze_event_handle_t> events_;
  std::vector<void*> allocations_;
};

}  // namespace proton_xpu::testing
