#include "softgpu/allocations.h"

#include <gtest/gtest.h>

#include <cstring>

#include "softgpu/deferred_free.h"
#include "softgpu/soft_device.h"
#include "softgpu/worker.h"

namespace softgpu::testing {
namespace {

class AllocationsTest : public SoftDevice {
 protected:
  void* allocate(std::size_t size, std::size_t alignment = 0) {
    void* pointer = nullptr;
    EXPECT_EQ(
        ze().Mem.pfnAllocDevice(context_, &device_memory_, size, alignment, device_, &pointer),
        ZE_RESULT_SUCCESS);
    return pointer;
  }

  ze_memory_allocation_properties_t properties(const void* pointer,
                                               ze_device_handle_t* device = nullptr) {
    ze_memory_allocation_properties_t result{};
    result.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
    EXPECT_EQ(ze().Mem.pfnGetAllocProperties(context_, pointer, &result, device),
              ZE_RESULT_SUCCESS);
    return result;
  }

  const ze_device_mem_alloc_desc_t device_memory_{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr,
                                                  0, 0};
  const ze_host_mem_alloc_desc_t host_memory_{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
};

TEST_F(AllocationsTest, EachKindSaysWhatItIs) {
  void* device = allocate(100);
  void* host = nullptr;
  void* shared = nullptr;
  void* shared_by_all = nullptr;
  EXPECT_EQ(ze().Mem.pfnAllocHost(context_, &host_memory_, 100, 0, &host), ZE_RESULT_SUCCESS);
  EXPECT_EQ(
      ze().Mem.pfnAllocShared(context_, &device_memory_, &host_memory_, 100, 0, device_, &shared),
      ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().Mem.pfnAllocShared(context_, &device_memory_, &host_memory_, 100, 0, nullptr,
                                    &shared_by_all),
            ZE_RESULT_SUCCESS);
  ze_device_handle_t owner = nullptr;
  EXPECT_EQ(properties(static_cast<char*>(device) + 99, &owner).type, ZE_MEMORY_TYPE_DEVICE);
  EXPECT_EQ(owner, device_);
  EXPECT_EQ(properties(shared, &owner).type, ZE_MEMORY_TYPE_SHARED);
  EXPECT_EQ(owner, device_);
  EXPECT_EQ(properties(host, &owner).type, ZE_MEMORY_TYPE_HOST);
  EXPECT_EQ(owner, nullptr);
  EXPECT_EQ(properties(shared_by_all, &owner).type, ZE_MEMORY_TYPE_SHARED);
  EXPECT_EQ(owner, nullptr);
  EXPECT_NE(properties(host).id, properties(device).id);
  EXPECT_EQ(properties(this, &owner).type, ZE_MEMORY_TYPE_UNKNOWN);
  EXPECT_EQ(owner, nullptr);
  for (void* pointer : {device, host, shared, shared_by_all}) {
    EXPECT_EQ(ze().Mem.pfnFree(context_, pointer), ZE_RESULT_SUCCESS);
  }
}

TEST_F(AllocationsTest, RangeIsThatOfTheWholeBlock) {
  char* block = static_cast<char*>(allocate(1000, 4096));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 4096, 0U);
  void* base = nullptr;
  std::size_t size = 0;
  EXPECT_EQ(ze().Mem.pfnGetAddressRange(context_, block + 500, &base, &size), ZE_RESULT_SUCCESS);
  EXPECT_EQ(base, block);
  EXPECT_EQ(size, 1000U);
  EXPECT_EQ(ze().Mem.pfnGetAddressRange(context_, block + 1000, &base, &size),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(ze().Mem.pfnFree(context_, block + 1), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(ze().Mem.pfnFree(context_, block), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().Mem.pfnFree(context_, block), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

TEST_F(AllocationsTest, WrongSizesAndAlignmentsAreRefused) {
  void* pointer = nullptr;
  EXPECT_EQ(ze().Mem.pfnAllocDevice(context_, &device_memory_, 0, 0, device_, &pointer),
            ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  EXPECT_EQ(ze().Mem.pfnAllocDevice(context_, &device_memory_, std::size_t{1} << 60, 0, device_,
                                    &pointer),
            ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  EXPECT_EQ(ze().Mem.pfnAllocDevice(context_, &device_memory_, 64, 3, device_, &pointer),
            ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
}

TEST_F(AllocationsTest, FreedBlockLivesUntilTheWorkSubmittedBeforeIsDone) {
  const std::size_t before = DeferredFrees::instance().waiting();
  Gate gate;
  const auto list = immediate_list();
  auto* block = static_cast<int*>(allocate(1024 * sizeof(int)));
  int* source = block;
  int result = 0;
  block[5] = 42;
  launch(list, call(Gate::pass, &gate));
  gate.wait_until_entered();
  ze().CommandList.pfnAppendMemoryCopy(list, &result, source + 5, sizeof(int), nullptr, 0, nullptr);
  EXPECT_EQ(ze().Mem.pfnFree(context_, block), ZE_RESULT_SUCCESS);
  EXPECT_EQ(DeferredFrees::instance().waiting(), before + 1);
  EXPECT_EQ(properties(source).type, ZE_MEMORY_TYPE_UNKNOWN);
  gate.open();
  synchronize(list);
  EXPECT_EQ(result, 42);
  EXPECT_EQ(ze().CommandList.pfnDestroy(list), ZE_RESULT_SUCCESS);
  EXPECT_TRUE(Worker::drain(kForever));
  EXPECT_EQ(DeferredFrees::instance().waiting(), before);
}

TEST_F(AllocationsTest, WorkSubmittedLaterDoesNotHoldAFreedBlock) {
  Gate gate;
  const auto busy = immediate_list();
  const auto later = immediate_list();
  launch(busy, kernel("noop"));
  synchronize(busy);
  EXPECT_TRUE(Worker::drain(kForever));
  void* block = allocate(64);
  EXPECT_EQ(ze().Mem.pfnFree(context_, block), ZE_RESULT_SUCCESS);
  launch(later, call(Gate::pass, &gate));
  EXPECT_EQ(DeferredFrees::instance().waiting(), 0U);
  gate.open();
  synchronize(later);
}

TEST_F(AllocationsTest, BlockingFreeWaits) {
  Journal journal;
  const auto list = immediate_list();
  void* block = allocate(64);
  for (int i = 0; i < 100; ++i) launch(list, call(Journal::write, journal.entry(i)));
  const ze_memory_free_ext_desc_t blocking{ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC, nullptr,
                                           ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE};
  EXPECT_EQ(ze().Mem.pfnFreeExt(context_, &blocking, block), ZE_RESULT_SUCCESS);
  EXPECT_EQ(journal.numbers().size(), 100U);
  block = allocate(64);
  const ze_memory_free_ext_desc_t wrong{ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC, nullptr, 64};
  EXPECT_EQ(ze().Mem.pfnFreeExt(context_, &wrong, block), ZE_RESULT_ERROR_INVALID_ENUMERATION);
  const ze_memory_free_ext_desc_t deferred{ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC, nullptr,
                                           ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE};
  EXPECT_EQ(ze().Mem.pfnFreeExt(context_, &deferred, block), ZE_RESULT_SUCCESS);
}

}  // namespace
}  // namespace softgpu::testing
