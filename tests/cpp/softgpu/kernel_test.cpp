#include "softgpu/kernel.h"

#include <gtest/gtest.h>

#include <string>

#include "softgpu/soft_device.h"

namespace softgpu::testing {
namespace {

using KernelTest = SoftDevice;

TEST_F(KernelTest, UnknownNameIsRefused) {
  const ze_kernel_desc_t description{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "missing"};
  ze_kernel_handle_t kernel = nullptr;
  EXPECT_EQ(ze().Kernel.pfnCreate(module_, &description, &kernel),
            ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
}

TEST_F(KernelTest, ArgumentsAreChecked) {
  const auto kernel = this->kernel("args");
  const int value = 1;
  void* pointer = nullptr;
  const auto set = ze().Kernel.pfnSetArgumentValue;
  EXPECT_EQ(set(kernel, 3, sizeof(value), &value), ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX);
  EXPECT_EQ(set(kernel, 0, sizeof(value), nullptr), ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  EXPECT_EQ(set(kernel, 0, 0, &value), ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  EXPECT_EQ(set(kernel, 1, 4, &pointer), ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  EXPECT_EQ(set(kernel, 0, sizeof(value), &value), ZE_RESULT_SUCCESS);
  EXPECT_EQ(set(kernel, 1, sizeof(pointer), nullptr), ZE_RESULT_SUCCESS);
  EXPECT_EQ(set(kernel, 2, 0, nullptr), ZE_RESULT_SUCCESS);
}

TEST_F(KernelTest, LaunchNeedsAllArguments) {
  const auto list = immediate_list();
  const auto kernel = this->kernel("args");
  const int value = 1;
  ze().Kernel.pfnSetArgumentValue(kernel, 0, sizeof(value), &value);
  ze().Kernel.pfnSetArgumentValue(kernel, 1, sizeof(void*), nullptr);
  const auto append = ze().CommandList.pfnAppendLaunchKernel;
  EXPECT_EQ(append(list, kernel, &kOneGroup, nullptr, 0, nullptr),
            ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX);
  EXPECT_EQ(
      ze().CommandList.pfnAppendLaunchKernelIndirect(list, kernel, &kOneGroup, nullptr, 0, nullptr),
      ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX);
  ze().Kernel.pfnSetArgumentValue(kernel, 2, 16, nullptr);
  EXPECT_EQ(append(list, kernel, &kOneGroup, nullptr, 0, nullptr), ZE_RESULT_SUCCESS);
}

TEST_F(KernelTest, TooMuchLocalMemoryIsRefused) {
  const auto list = immediate_list();
  const auto kernel = this->kernel("args");
  const int value = 1;
  ze().Kernel.pfnSetArgumentValue(kernel, 0, sizeof(value), &value);
  ze().Kernel.pfnSetArgumentValue(kernel, 1, sizeof(void*), nullptr);
  const auto append = ze().CommandList.pfnAppendLaunchKernel;
  ze().Kernel.pfnSetArgumentValue(kernel, 2, 131072, nullptr);
  EXPECT_EQ(append(list, kernel, &kOneGroup, nullptr, 0, nullptr), ZE_RESULT_SUCCESS);
  ze().Kernel.pfnSetArgumentValue(kernel, 2, 131073, nullptr);
  EXPECT_EQ(append(list, kernel, &kOneGroup, nullptr, 0, nullptr),
            ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
}

TEST_F(KernelTest, GroupSizeIsChecked) {
  const auto kernel = this->kernel("noop");
  const auto set = ze().Kernel.pfnSetGroupSize;
  EXPECT_EQ(set(kernel, 1024, 1, 1), ZE_RESULT_SUCCESS);
  EXPECT_EQ(set(kernel, 32, 16, 2), ZE_RESULT_SUCCESS);
  EXPECT_EQ(set(kernel, 0, 1, 1), ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  EXPECT_EQ(set(kernel, 1, 1, 0), ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  EXPECT_EQ(set(kernel, 1025, 1, 1), ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  EXPECT_EQ(set(kernel, 64, 32, 1), ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  EXPECT_EQ(set(kernel, 1U << 31, 1U << 31, 4), ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  const auto tile = this->kernel("tile");
  EXPECT_EQ(set(tile, 8, 4, 1), ZE_RESULT_SUCCESS);
  EXPECT_EQ(set(tile, 16, 4, 1), ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
}

TEST_F(KernelTest, SuggestedGroupSizeDividesTheWork) {
  const auto kernel = this->kernel("noop");
  const auto suggest = ze().Kernel.pfnSuggestGroupSize;
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t z = 0;
  EXPECT_EQ(suggest(kernel, 4096, 1, 1, &x, &y, &z), ZE_RESULT_SUCCESS);
  EXPECT_EQ(x, 256U);
  EXPECT_EQ(suggest(kernel, 48, 6, 5, &x, &y, &z), ZE_RESULT_SUCCESS);
  EXPECT_EQ(x, 16U);
  EXPECT_EQ(y, 2U);
  EXPECT_EQ(z, 1U);
  EXPECT_EQ(suggest(this->kernel("tile"), 64, 64, 1, &x, &y, &z), ZE_RESULT_SUCCESS);
  EXPECT_EQ(x, 8U);
  EXPECT_EQ(y, 4U);
  EXPECT_EQ(suggest(kernel, 0, 1, 1, &x, &y, &z), ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION);
  EXPECT_EQ(suggest(kernel, 1, 1, 1, &x, &y, nullptr), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
}

TEST_F(KernelTest, LaunchWithoutGroupsRunsNothingButSignals) {
  Journal journal;
  const auto list = immediate_list();
  const auto done = event();
  const auto kernel = call(Journal::write, journal.entry(1));
  const ze_group_count_t none{1, 0, 1};
  EXPECT_EQ(ze().CommandList.pfnAppendLaunchKernel(list, kernel, &none, done, 0, nullptr),
            ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().Event.pfnHostSynchronize(done, kForever), ZE_RESULT_SUCCESS);
  EXPECT_TRUE(journal.numbers().empty());
}

TEST_F(KernelTest, LaunchesShareAnOperationUntilSomethingChanges) {
  auto* kernel = find_object<Kernel>(this->kernel("args"));
  const int value = 3;
  void* pointer = this;
  kernel->set_argument(0, sizeof(value), &value);
  kernel->set_argument(1, sizeof(pointer), &pointer);
  kernel->set_argument(2, 64, nullptr);
  const auto launch = [&](const ze_group_count_t& groups) {
    std::shared_ptr<const Operation> operation;
    EXPECT_EQ(kernel->launch(groups, operation), ZE_RESULT_SUCCESS);
    return operation;
  };
  const auto first = launch({1, 1, 1});
  EXPECT_EQ(launch({1, 1, 1}), first);
  kernel->set_argument(0, sizeof(value), &value);
  kernel->set_argument(1, sizeof(pointer), &pointer);
  EXPECT_EQ(launch({1, 1, 1}), first);
  const auto second = launch({2, 1, 1});
  EXPECT_NE(second, first);
  pointer = nullptr;
  kernel->set_argument(1, sizeof(pointer), &pointer);
  const auto third = launch({2, 1, 1});
  EXPECT_NE(third, second);
  kernel->set_group_size({4, 1, 1});
  EXPECT_NE(launch({2, 1, 1}), third);
}

TEST_F(KernelTest, FirstPointerArgumentThatIsNullCounts) {
  auto* kernel = find_object<Kernel>(this->kernel("args"));
  const int value = 3;
  kernel->set_argument(0, sizeof(value), &value);
  kernel->set_argument(2, 64, nullptr);
  std::shared_ptr<const Operation> operation;
  EXPECT_EQ(kernel->launch({1, 1, 1}, operation), ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX);
  kernel->set_argument(1, sizeof(void*), nullptr);
  EXPECT_EQ(kernel->launch({1, 1, 1}, operation), ZE_RESULT_SUCCESS);
}

TEST_F(KernelTest, TellsItsProperties) {
  const auto kernel = this->kernel("args");
  ze_kernel_max_group_size_properties_ext_t most{
      ZE_STRUCTURE_TYPE_KERNEL_MAX_GROUP_SIZE_EXT_PROPERTIES, nullptr, 0};
  ze_kernel_preferred_group_size_properties_t preferred{
      ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES, &most, 0};
  ze_kernel_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  properties.pNext = &preferred;
  EXPECT_EQ(ze().Kernel.pfnGetProperties(kernel, &properties), ZE_RESULT_SUCCESS);
  EXPECT_EQ(properties.numKernelArgs, 3U);
  EXPECT_EQ(properties.requiredGroupSizeX, 0U);
  EXPECT_EQ(properties.maxSubgroupSize, 32U);
  EXPECT_EQ(properties.maxNumSubgroups, 32U);
  EXPECT_EQ(preferred.preferredMultiple, 32U);
  EXPECT_EQ(most.maxGroupSize, 1024U);

  std::size_t size = 0;
  EXPECT_EQ(ze().Kernel.pfnGetName(kernel, &size, nullptr), ZE_RESULT_SUCCESS);
  std::string name(size, '?');
  EXPECT_EQ(ze().Kernel.pfnGetName(kernel, &size, name.data()), ZE_RESULT_SUCCESS);
  EXPECT_EQ(name, std::string("args\0", 5));

  ze_kernel_indirect_access_flags_t flags = 0;
  EXPECT_EQ(ze().Kernel.pfnSetIndirectAccess(kernel, ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST),
            ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().Kernel.pfnGetIndirectAccess(kernel, &flags), ZE_RESULT_SUCCESS);
  EXPECT_EQ(flags, ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST);
  EXPECT_EQ(ze().Kernel.pfnSetIndirectAccess(kernel, 64), ZE_RESULT_ERROR_INVALID_ENUMERATION);
  EXPECT_EQ(ze().Kernel.pfnSetCacheConfig(kernel, 64), ZE_RESULT_ERROR_INVALID_ENUMERATION);
  std::uint32_t groups = 0;
  EXPECT_EQ(ze().Kernel.pfnSuggestMaxCooperativeGroupCount(kernel, &groups), ZE_RESULT_SUCCESS);
  EXPECT_EQ(groups, 1U);
}

}  // namespace
}  // namespace softgpu::testing
