#include "support/level_zero_app.h"

#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>

#include "support/spirv_module.h"

namespace proton_xpu::testing {
namespace {

constexpr std::size_t kAlignment = 64;

void check(ze_result_t result, const char* call) {
  if (result != ZE_RESULT_SUCCESS) {
    throw std::runtime_error(std::string(call) + " gives " +
                             std::to_string(static_cast<unsigned>(result)));
  }
}

void* open_loader() {
  const char* path = std::getenv("PROTON_XPU_LEVEL_ZERO_LOADER");
  void* library = dlopen(path != nullptr ? path : "libze_loader.so.1", RTLD_NOW);
  if (library == nullptr) throw std::runtime_error(dlerror());
  return library;
}

template <typename Function>
void resolve(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw std::runtime_error(std::string("the loader lacks ") + name);
}

}  // namespace

LoaderFunctions::LoaderFunctions() {
  void* library = open_loader();
  resolve(library, "zeInit", Init);
  resolve(library, "zeDriverGet", DriverGet);
  resolve(library, "zeDeviceGet", DeviceGet);
  resolve(library, "zeContextCreate", ContextCreate);
  resolve(library, "zeContextDestroy", ContextDestroy);
  resolve(library, "zeCommandQueueCreate", CommandQueueCreate);
  resolve(library, "zeCommandQueueDestroy", CommandQueueDestroy);
  resolve(library, "zeCommandQueueExecuteCommandLists", CommandQueueExecuteCommandLists);
  resolve(library, "zeCommandQueueSynchronize", CommandQueueSynchronize);
  resolve(library, "zeCommandListCreate", CommandListCreate);
  resolve(library, "zeCommandListCreateImmediate", CommandListCreateImmediate);
  resolve(library, "zeCommandListClose", CommandListClose);
  resolve(library, "zeCommandListDestroy", CommandListDestroy);
  resolve(library, "zeCommandListHostSynchronize", CommandListHostSynchronize);
  resolve(library, "zeCommandListAppendLaunchKernel", CommandListAppendLaunchKernel);
  resolve(library, "zeCommandListAppendMemoryCopy", CommandListAppendMemoryCopy);
  resolve(library, "zeCommandListAppendMemoryFill", CommandListAppendMemoryFill);
  resolve(library, "zeEventPoolCreate", EventPoolCreate);
  resolve(library, "zeEventPoolDestroy", EventPoolDestroy);
  resolve(library, "zeEventCreate", EventCreate);
  resolve(library, "zeEventDestroy", EventDestroy);
  resolve(library, "zeEventHostSignal", EventHostSignal);
  resolve(library, "zeEventHostReset", EventHostReset);
  resolve(library, "zeEventHostSynchronize", EventHostSynchronize);
  resolve(library, "zeModuleCreate", ModuleCreate);
  resolve(library, "zeModuleDestroy", ModuleDestroy);
  resolve(library, "zeKernelCreate", KernelCreate);
  resolve(library, "zeKernelDestroy", KernelDestroy);
  resolve(library, "zeKernelSetGroupSize", KernelSetGroupSize);
  resolve(library, "zeMemAllocDevice", MemAllocDevice);
  resolve(library, "zeMemAllocHost", MemAllocHost);
  resolve(library, "zeMemAllocShared", MemAllocShared);
  resolve(library, "zeMemFree", MemFree);
}

LevelZeroApp::LevelZeroApp(const std::vector<std::string>& kernel_names) {
  check(ze_.Init(ZE_INIT_FLAG_GPU_ONLY), "zeInit");
  std::uint32_t count = 1;
  ze_driver_handle_t driver = nullptr;
  check(ze_.DriverGet(&count, &driver), "zeDriverGet");
  check(ze_.DeviceGet(driver, &count, nullptr), "zeDeviceGet");
  devices_.resize(count);
  check(ze_.DeviceGet(driver, &count, devices_.data()), "zeDeviceGet");
  ze_context_desc_t context_description{};
  context_description.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC;
  check(ze_.ContextCreate(driver, &context_description, &context_), "zeContextCreate");

  const std::vector<std::uint32_t> words = make_empty_kernels(kernel_names);
  ze_module_desc_t module_description{};
  module_description.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  module_description.format = ZE_MODULE_FORMAT_IL_SPIRV;
  module_description.inputSize = words.size() * sizeof words[0];
  module_description.pInputModule = reinterpret_cast<const std::uint8_t*>(words.data());
  check(ze_.ModuleCreate(context_, device(), &module_description, &module_, nullptr),
        "zeModuleCreate");
  for (const std::string& name : kernel_names) {
    ze_kernel_desc_t kernel_description{};
    kernel_description.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC;
    kernel_description.pKernelName = name.c_str();
    ze_kernel_handle_t kernel = nullptr;
    check(ze_.KernelCreate(module_, &kernel_description, &kernel), "zeKernelCreate");
    kernels_.push_back(kernel);
    check(ze_.KernelSetGroupSize(kernel, 1, 1, 1), "zeKernelSetGroupSize");
  }
}

LevelZeroApp::~LevelZeroApp() {
  for (ze_command_list_handle_t list : lists_) ze_.CommandListDestroy(list);
  for (ze_command_queue_handle_t queue : queues_) ze_.CommandQueueDestroy(queue);
  for (ze_event_handle_t event : events_) ze_.EventDestroy(event);
  for (ze_event_pool_handle_t pool : pools_) ze_.EventPoolDestroy(pool);
  for (ze_kernel_handle_t kernel : kernels_) ze_.KernelDestroy(kernel);
  ze_.ModuleDestroy(module_);
  for (void* allocation : allocations_) ze_.MemFree(context_, allocation);
  ze_.ContextDestroy(context_);
}

ze_command_list_handle_t LevelZeroApp::make_immediate_list() {
  ze_command_queue_desc_t description{};
  description.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  description.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  description.flags = ZE_COMMAND_QUEUE_FLAG_IN_ORDER;
  ze_command_list_handle_t list = nullptr;
  check(ze_.CommandListCreateImmediate(context_, device(), &description, &list),
        "zeCommandListCreateImmediate");
  lists_.push_back(list);
  return list;
}

ze_command_list_handle_t LevelZeroApp::make_list() {
  ze_command_list_desc_t description{};
  description.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
  ze_command_list_handle_t list = nullptr;
  check(ze_.CommandListCreate(context_, device(), &description, &list), "zeCommandListCreate");
  lists_.push_back(list);
  return list;
}

ze_command_queue_handle_t LevelZeroApp::make_queue() {
  ze_command_queue_desc_t description{};
  description.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  description.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  ze_command_queue_handle_t queue = nullptr;
  check(ze_.CommandQueueCreate(context_, device(), &description, &queue), "zeCommandQueueCreate");
  queues_.push_back(queue);
  return queue;
}

std::vector<ze_event_handle_t> LevelZeroApp::make_events(std::uint32_t count) {
  ze_event_pool_desc_t pool_description{};
  pool_description.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC;
  pool_description.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE;
  pool_description.count = count;
  ze_event_pool_handle_t pool = nullptr;
  ze_device_handle_t first_device = device();
  check(ze_.EventPoolCreate(context_, &pool_description, 1, &first_device, &pool),
        "zeEventPoolCreate");
  pools_.push_back(pool);
  std::vector<ze_event_handle_t> events;
  for (std::uint32_t i = 0; i < count; ++i) {
    ze_event_desc_t description{};
    description.stype = ZE_STRUCTURE_TYPE_EVENT_DESC;
    description.index = i;
    description.signal = ZE_EVENT_SCOPE_FLAG_HOST;
    ze_event_handle_t event = nullptr;
    check(ze_.EventCreate(pool, &description, &event), "zeEventCreate");
    events.push_back(event);
  }
  events_.insert(events_.end(), events.begin(), events.end());
  return events;
}

void* LevelZeroApp::allocate_device(std::size_t bytes) {
  ze_device_mem_alloc_desc_t description{};
  description.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  void* memory = nullptr;
  check(ze_.MemAllocDevice(context_, &description, bytes, kAlignment, device(), &memory),
        "zeMemAllocDevice");
  allocations_.push_back(memory);
  return memory;
}

void* LevelZeroApp::allocate_host(std::size_t bytes) {
  ze_host_mem_alloc_desc_t description{};
  description.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
  void* memory = nullptr;
  check(ze_.MemAllocHost(context_, &description, bytes, kAlignment, &memory), "zeMemAllocHost");
  allocations_.push_back(memory);
  return memory;
}

void* LevelZeroApp::allocate_shared(std::size_t bytes) {
  ze_device_mem_alloc_desc_t device_description{};
  device_description.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  ze_host_mem_alloc_desc_t host_description{};
  host_description.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
  void* memory = nullptr;
  check(ze_.MemAllocShared(context_, &device_description, &host_description, bytes, kAlignment,
                           device(), &memory),
        "zeMemAllocShared");
  allocations_.push_back(memory);
  return memory;
}

void LevelZeroApp::launch(ze_command_list_handle_t list, std::size_t kernel_index,
                          ze_event_handle_t signal) {
  const ze_group_count_t groups{1, 1, 1};
  check(ze_.CommandListAppendLaunchKernel(list, kernel(kernel_index), &groups, signal, 0, nullptr),
        "zeCommandListAppendLaunchKernel");
}

void LevelZeroApp::copy(ze_command_list_handle_t list, void* destination, const void* source,
                        std::size_t bytes) {
  check(ze_.CommandListAppendMemoryCopy(list, destination, source, bytes, nullptr, 0, nullptr),
        "zeCommandListAppendMemoryCopy");
}

void LevelZeroApp::fill(ze_command_list_handle_t list, void* destination, std::size_t bytes) {
  const std::uint8_t pattern = 0x5A;
  check(ze_.CommandListAppendMemoryFill(list, destination, &pattern, sizeof pattern, bytes, nullptr,
                                        0, nullptr),
        "zeCommandListAppendMemoryFill");
}

void LevelZeroApp::wait(ze_command_list_handle_t list) {
  check(ze_.CommandListHostSynchronize(list, UINT64_MAX), "zeCommandListHostSynchronize");
}

void LevelZeroApp::close(ze_command_list_handle_t list) {
  check(ze_.CommandListClose(list), "zeCommandListClose");
}

void LevelZeroApp::execute(ze_command_queue_handle_t queue, ze_command_list_handle_t list) {
  check(ze_.CommandQueueExecuteCommandLists(queue, 1, &list, nullptr),
        "zeCommandQueueExecuteCommandLists");
}

void LevelZeroApp::wait(ze_command_queue_handle_t queue) {
  check(ze_.CommandQueueSynchronize(queue, UINT64_MAX), "zeCommandQueueSynchronize");
}

}  // namespace proton_xpu::testing
