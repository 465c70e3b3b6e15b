#include "softgpu/soft_device.h"

namespace softgpu::testing {
namespace {

template <typename Table, typename Getter>
void fill(Getter getter, Table& table) {
  ASSERT_EQ(getter(ZE_API_VERSION_CURRENT, &table), ZE_RESULT_SUCCESS);
}

}  // namespace

const ze_dditable_t& ze() {
  static const ze_dditable_t tables = [] {
    ze_dditable_t all{};
    fill(zeGetGlobalProcAddrTable, all.Global);
    fill(zeGetDriverProcAddrTable, all.Driver);
    fill(zeGetDeviceProcAddrTable, all.Device);
    fill(zeGetContextProcAddrTable, all.Context);
    fill(zeGetCommandQueueProcAddrTable, all.CommandQueue);
    fill(zeGetCommandListProcAddrTable, all.CommandList);
    fill(zeGetCommandListExpProcAddrTable, all.CommandListExp);
    fill(zeGetMemProcAddrTable, all.Mem);
    fill(zeGetFenceProcAddrTable, all.Fence);
    fill(zeGetEventPoolProcAddrTable, all.EventPool);
    fill(zeGetEventProcAddrTable, all.Event);
    fill(zeGetEventExpProcAddrTable, all.EventExp);
    fill(zeGetModuleProcAddrTable, all.Module);
    fill(zeGetModuleBuildLogProcAddrTable, all.ModuleBuildLog);
    fill(zeGetKernelProcAddrTable, all.Kernel);
    fill(zeGetKernelExpProcAddrTable, all.KernelExp);
    return all;
  }();
  return tables;
}

void Journal::write(void* entry) {
  const auto* line = static_cast<const Entry*>(entry);
  const std::lock_guard<std::mutex> lock(line->journal->mutex_);
  line->journal->numbers_.push_back(line->number);
}

std::vector<int> Journal::numbers() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return numbers_;
}

void SoftDevice::SetUp() {
  ASSERT_EQ(ze().Global.pfnInit(0), ZE_RESULT_SUCCESS);
  std::uint32_t count = 1;
  ASSERT_EQ(ze().Driver.pfnGet(&count, &driver_), ZE_RESULT_SUCCESS);
  ASSERT_EQ(ze().Device.pfnGet(driver_, &count, &device_), ZE_RESULT_SUCCESS);
  const ze_context_desc_t context{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  ASSERT_EQ(ze().Context.pfnCreate(driver_, &context, &context_), ZE_RESULT_SUCCESS);
  const ze_module_desc_t module{ZE_STRUCTURE_TYPE_MODULE_DESC,
                                nullptr,
                                ZE_MODULE_FORMAT_IL_SPIRV,
                                kFakeModule.size(),
                                reinterpret_cast<const std::uint8_t*>(kFakeModule.data()),
                                "",
                                nullptr};
  ASSERT_EQ(ze().Module.pfnCreate(context_, device_, &module, &module_, nullptr),
            ZE_RESULT_SUCCESS);
}

ze_command_list_handle_t SoftDevice::immediate_list(ze_command_queue_mode_t mode) {
  ze_command_queue_desc_t description{};
  description.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  description.mode = mode;
  ze_command_list_handle_t list = nullptr;
  EXPECT_EQ(ze().CommandList.pfnCreateImmediate(context_, device_, &description, &list),
            ZE_RESULT_SUCCESS);
  return list;
}

ze_command_list_handle_t SoftDevice::recorded_list() {
  const ze_command_list_desc_t description{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 0, 0};
  ze_command_list_handle_t list = nullptr;
  EXPECT_EQ(ze().CommandList.pfnCreate(context_, device_, &description, &list), ZE_RESULT_SUCCESS);
  return list;
}

ze_command_queue_handle_t SoftDevice::queue(ze_command_queue_mode_t mode) {
  ze_command_queue_desc_t description{};
  description.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  description.mode = mode;
  ze_command_queue_handle_t queue = nullptr;
  EXPECT_EQ(ze().CommandQueue.pfnCreate(context_, device_, &description, &queue),
            ZE_RESULT_SUCCESS);
  return queue;
}

ze_event_pool_handle_t SoftDevice::pool(std::uint32_t size, bool counter_based) {
  const ze_event_pool_counter_based_exp_desc_t counter{
      ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC, nullptr,
      ZE_EVENT_POOL_COUNTER_BASED_EXP_FLAG_IMMEDIATE};
  const ze_event_pool_desc_t description{
      ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, counter_based ? &counter : nullptr,
      ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, size};
  ze_event_pool_handle_t pool = nullptr;
  EXPECT_EQ(ze().EventPool.pfnCreate(context_, &description, 1, &device_, &pool),
            ZE_RESULT_SUCCESS);
  return pool;
}

ze_event_handle_t SoftDevice::event(bool counter_based) {
  const ze_event_desc_t description{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0,
                                    ZE_EVENT_SCOPE_FLAG_HOST, ZE_EVENT_SCOPE_FLAG_DEVICE};
  ze_event_handle_t event = nullptr;
  EXPECT_EQ(ze().Event.pfnCreate(pool(1, counter_based), &description, &event), ZE_RESULT_SUCCESS);
  return event;
}

ze_fence_handle_t SoftDevice::fence(ze_command_queue_handle_t queue) {
  const ze_fence_desc_t description{ZE_STRUCTURE_TYPE_FENCE_DESC, nullptr, 0};
  ze_fence_handle_t fence = nullptr;
  EXPECT_EQ(ze().Fence.pfnCreate(queue, &description, &fence), ZE_RESULT_SUCCESS);
  return fence;
}

ze_kernel_handle_t SoftDevice::kernel(const std::string& name) {
  const ze_kernel_desc_t description{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name.c_str()};
  ze_kernel_handle_t kernel = nullptr;
  EXPECT_EQ(ze().Kernel.pfnCreate(module_, &description, &kernel), ZE_RESULT_SUCCESS);
  return kernel;
}

ze_kernel_handle_t SoftDevice::call(Callback function, void* data) {
  const ze_kernel_handle_t handle = kernel("call");
  EXPECT_EQ(ze().Kernel.pfnSetArgumentValue(handle, 0, sizeof(function), &function),
            ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().Kernel.pfnSetArgumentValue(handle, 1, sizeof(data), &data), ZE_RESULT_SUCCESS);
  return handle;
}

void SoftDevice::launch(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                        ze_event_handle_t signal, std::vector<ze_event_handle_t> waits) {
  EXPECT_EQ(ze().CommandList.pfnAppendLaunchKernel(list, kernel, &kOneGroup, signal,
                                                   static_cast<std::uint32_t>(waits.size()),
                                                   waits.empty() ? nullptr : waits.data()),
            ZE_RESULT_SUCCESS);
}

void SoftDevice::close(ze_command_list_handle_t list) {
  EXPECT_EQ(ze().CommandList.pfnClose(list), ZE_RESULT_SUCCESS);
}

void SoftDevice::execute(ze_command_queue_handle_t queue, ze_command_list_handle_t list,
                         ze_fence_handle_t fence) {
  EXPECT_EQ(ze().CommandQueue.pfnExecuteCommandLists(queue, 1, &list, fence), ZE_RESULT_SUCCESS);
}

void SoftDevice::synchronize(ze_command_list_handle_t list) {
  EXPECT_EQ(ze().CommandList.pfnHostSynchronize(list, kForever), ZE_RESULT_SUCCESS);
}

void SoftDevice::synchronize(ze_command_queue_handle_t queue) {
  EXPECT_EQ(ze().CommandQueue.pfnSynchronize(queue, kForever), ZE_RESULT_SUCCESS);
}

ze_kernel_timestamp_data_t SoftDevice::stamps(ze_event_handle_t event) {
  ze_kernel_timestamp_result_t result{};
  EXPECT_EQ(ze().Event.pfnQueryKernelTimestamp(event, &result), ZE_RESULT_SUCCESS);
  return result.global;
}

}  // namespace softgpu::testing
