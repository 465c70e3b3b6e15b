#include <gtest/gtest.h>
#include <level_zero/ze_ddi.h>
#include <level_zero/zes_ddi.h>
#include <level_zero/zet_ddi.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

constexpr auto kVersion10 = static_cast<ze_api_version_t>(ZE_MAKE_VERSION(1, 0));

// The table as an array of pointers, filled for a version over a pattern.
template <typename Table>
std::vector<void*> filled(ze_result_t (*getter)(ze_api_version_t, Table*),
                          ze_api_version_t version) {
  Table table;
  std::memset(&table, 0xAB, sizeof(table));
  EXPECT_EQ(getter(version, &table), ZE_RESULT_SUCCESS);
  std::vector<void*> entries(sizeof(table) / sizeof(void*));
  std::memcpy(entries.data(), &table, sizeof(table));
  return entries;
}

void* untouched() {
  void* pattern = nullptr;
  std::memset(&pattern, 0xAB, sizeof(pattern));
  return pattern;
}

template <typename Table>
void expect_complete(ze_result_t (*getter)(ze_api_version_t, Table*)) {
  for (void* entry : filled(getter, ZE_API_VERSION_CURRENT)) {
    EXPECT_NE(entry, nullptr);
    EXPECT_NE(entry, untouched());
  }
}

template <typename Table>
std::ptrdiff_t entries_of(ze_result_t (*getter)(ze_api_version_t, Table*), int minor) {
  const auto entries = filled(getter, static_cast<ze_api_version_t>(ZE_MAKE_VERSION(1, minor)));
  return std::count_if(entries.begin(), entries.end(),
                       [](void* entry) { return entry != untouched(); });
}

TEST(DispatchTables, EveryEntryIsFilled) {
  expect_complete(zeGetGlobalProcAddrTable);
  expect_complete(zeGetRTASBuilderExpProcAddrTable);
  expect_complete(zeGetDriverProcAddrTable);
  expect_complete(zeGetDeviceProcAddrTable);
  expect_complete(zeGetContextProcAddrTable);
  expect_complete(zeGetCommandQueueProcAddrTable);
  expect_complete(zeGetCommandListProcAddrTable);
  expect_complete(zeGetCommandListExpProcAddrTable);
  expect_complete(zeGetImageProcAddrTable);
  expect_complete(zeGetMemProcAddrTable);
  expect_complete(zeGetMemExpProcAddrTable);
  expect_complete(zeGetFenceProcAddrTable);
  expect_complete(zeGetEventPoolProcAddrTable);
  expect_complete(zeGetEventProcAddrTable);
  expect_complete(zeGetModuleProcAddrTable);
  expect_complete(zeGetKernelProcAddrTable);
  expect_complete(zeGetKernelExpProcAddrTable);
  expect_complete(zeGetVirtualMemProcAddrTable);
  expect_complete(zetGetDeviceProcAddrTable);
  expect_complete(zetGetMetricGroupProcAddrTable);
  expect_complete(zetGetMetricGroupExpProcAddrTable);
  expect_complete(zetGetTracerExpProcAddrTable);
  expect_complete(zetGetDebugProcAddrTable);
  expect_complete(zesGetGlobalProcAddrTable);
  expect_complete(zesGetDriverProcAddrTable);
  expect_complete(zesGetDeviceProcAddrTable);
  expect_complete(zesGetFrequencyProcAddrTable);
}

TEST(DispatchTables, OlderLoadersGetOnlyWhatTheirTablesHold) {
  // The sizes of the tables as the headers of each version declare them.
  EXPECT_EQ(entries_of(zeGetCommandListProcAddrTable, 0), 26);
  EXPECT_EQ(entries_of(zeGetCommandListProcAddrTable, 3), 28);
  EXPECT_EQ(entries_of(zeGetCommandListProcAddrTable, 6), 29);
  EXPECT_EQ(entries_of(zeGetCommandListProcAddrTable, 9), 34);
  EXPECT_EQ(entries_of(zeGetCommandListProcAddrTable, 12), 36);
  EXPECT_EQ(entries_of(zeGetDeviceProcAddrTable, 0), 14);
  EXPECT_EQ(entries_of(zeGetDeviceProcAddrTable, 7), 19);
  EXPECT_EQ(entries_of(zeGetEventProcAddrTable, 5), 7);
  EXPECT_EQ(entries_of(zeGetEventProcAddrTable, 6), 8);
  EXPECT_EQ(entries_of(zeGetEventProcAddrTable, 9), 11);
  EXPECT_EQ(entries_of(zeGetGlobalProcAddrTable, 9), 1);
  EXPECT_EQ(entries_of(zeGetGlobalProcAddrTable, 11), 2);
  EXPECT_EQ(entries_of(zesGetDeviceProcAddrTable, 0), 24);
  EXPECT_EQ(entries_of(zetGetDebugProcAddrTable, 0), 11);
}

TEST(DispatchTables, EntriesOfOlderTablesComeFirst) {
  const auto entries = filled(zeGetCommandListProcAddrTable, kVersion10);
  const auto first_untouched = std::find(entries.begin(), entries.end(), untouched());
  EXPECT_TRUE(std::all_of(first_untouched, entries.end(),
                          [](void* entry) { return entry == untouched(); }));
}

TEST(DispatchTables, WrongRequestsAreRefused) {
  ze_driver_dditable_t table{};
  EXPECT_EQ(zeGetDriverProcAddrTable(ZE_API_VERSION_CURRENT, nullptr),
            ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  EXPECT_EQ(zeGetDriverProcAddrTable(static_cast<ze_api_version_t>(ZE_MAKE_VERSION(2, 0)), &table),
            ZE_RESULT_ERROR_UNSUPPORTED_VERSION);
  EXPECT_EQ(table.pfnGet, nullptr);
}

TEST(DispatchTables, MissingFeaturesSaySo) {
  ze_image_dditable_t image{};
  ASSERT_EQ(zeGetImageProcAddrTable(ZE_API_VERSION_CURRENT, &image), ZE_RESULT_SUCCESS);
  EXPECT_EQ(image.pfnDestroy(nullptr), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  zet_metric_group_dditable_t metrics{};
  ASSERT_EQ(zetGetMetricGroupProcAddrTable(ZE_API_VERSION_CURRENT, &metrics), ZE_RESULT_SUCCESS);
  std::uint32_t count = 0;
  EXPECT_EQ(metrics.pfnGet(nullptr, &count, nullptr), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
}

}  // namespace
