// The driver behind the real Level Zero loader, which finds it through ZE_ENABLE_ALT_DRIVERS.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <level_zero/zes_api.h>

#include <cstdlib>
#include <cstring>

#include "softgpu/soft_device.h"

namespace {

using softgpu::testing::kFakeModule;
using softgpu::testing::kForever;
using softgpu::testing::kOneGroup;

class LoaderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("ZE_ENABLE_ALT_DRIVERS", SOFTGPU_TEST_DRIVER, 1);
    loader_ = dlopen(LEVEL_ZERO_LOADER, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(loader_, nullptr) << dlerror();
  }

  template <typename Function>
  Function* get(const char* name) {
    auto* function = reinterpret_cast<Function*>(dlsym(loader_, name));
    EXPECT_NE(function, nullptr) << name;
    return function;
  }

  void* loader_ = nullptr;
};

#define LOADER(name) get<decltype(::name)>(#name)

TEST_F(LoaderTest, RunsAKernelAndTellsItsTimes) {
  ASSERT_EQ(LOADER(zeInit)(0), ZE_RESULT_SUCCESS);
  std::uint32_t count = 1;
  ze_driver_handle_t driver = nullptr;
  ASSERT_EQ(LOADER(zeDriverGet)(&count, &driver), ZE_RESULT_SUCCESS);
  ze_device_handle_t device = nullptr;
  ASSERT_EQ(LOADER(zeDeviceGet)(driver, &count, &device), ZE_RESULT_SUCCESS);
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
  ASSERT_EQ(LOADER(zeDeviceGetProperties)(device, &properties), ZE_RESULT_SUCCESS);
  EXPECT_NE(std::strstr(properties.name, "software"), nullptr);

  const ze_context_desc_t context_description{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  ze_context_handle_t context = nullptr;
  ASSERT_EQ(LOADER(zeContextCreate)(driver, &context_description, &context), ZE_RESULT_SUCCESS);
  ze_module_desc_t module_description{};
  module_description.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  module_description.inputSize = kFakeModule.size();
  module_description.pInputModule = reinterpret_cast<const std::uint8_t*>(kFakeModule.data());
  ze_module_handle_t module = nullptr;
  ASSERT_EQ(LOADER(zeModuleCreate)(context, device, &module_description, &module, nullptr),
            ZE_RESULT_SUCCESS);
  const ze_kernel_desc_t kernel_description{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "call"};
  ze_kernel_handle_t kernel = nullptr;
  ASSERT_EQ(LOADER(zeKernelCreate)(module, &kernel_description, &kernel), ZE_RESULT_SUCCESS);
  int runs = 0;
  const softgpu::testing::Callback callback = [](void* data) { ++*static_cast<int*>(data); };
  void* data = &runs;
  ASSERT_EQ(LOADER(zeKernelSetArgumentValue)(kernel, 0, sizeof(callback), &callback),
            ZE_RESULT_SUCCESS);
  ASSERT_EQ(LOADER(zeKernelSetArgumentValue)(kernel, 1, sizeof(data), &data), ZE_RESULT_SUCCESS);

  const ze_event_pool_desc_t pool_description{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
                                              ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, 1};
  ze_event_pool_handle_t pool = nullptr;
  ASSERT_EQ(LOADER(zeEventPoolCreate)(context, &pool_description, 1, &device, &pool),
            ZE_RESULT_SUCCESS);
  const ze_event_desc_t event_description{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, 0, 0};
  ze_event_handle_t event = nullptr;
  ASSERT_EQ(LOADER(zeEventCreate)(pool, &event_description, &event), ZE_RESULT_SUCCESS);
  ze_command_queue_desc_t queue_description{};
  queue_description.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  ze_command_list_handle_t list = nullptr;
  ASSERT_EQ(LOADER(zeCommandListCreateImmediate)(context, device, &queue_description, &list),
            ZE_RESULT_SUCCESS);
  ASSERT_EQ(LOADER(zeCommandListAppendLaunchKernel)(list, kernel, &kOneGroup, event, 0, nullptr),
            ZE_RESULT_SUCCESS);
  ASSERT_EQ(LOADER(zeCommandListHostSynchronize)(list, kForever), ZE_RESULT_SUCCESS);
  EXPECT_EQ(runs, 1);
  ze_kernel_timestamp_result_t stamps{};
  ASSERT_EQ(LOADER(zeEventQueryKernelTimestamp)(event, &stamps), ZE_RESULT_SUCCESS);
  EXPECT_GT(stamps.global.kernelStart, 0U);
  EXPECT_LE(stamps.global.kernelStart, stamps.global.kernelEnd);
  EXPECT_EQ(LOADER(zeCommandListDestroy)(list), ZE_RESULT_SUCCESS);
}

TEST_F(LoaderTest, StartsTheSystemManagementApi) {
  EXPECT_EQ(LOADER(zesInit)(0), ZE_RESULT_SUCCESS);
}

}  // namespace
