#include "softgpu/handle.h"

#include <gtest/gtest.h>

#include <set>

namespace softgpu {
namespace {

struct Thing : Object {
  static constexpr HandleKind kKind = HandleKind::kEvent;
  int value = 7;
};

struct OtherThing : Object {
  static constexpr HandleKind kKind = HandleKind::kFence;
};

TEST(Handle, LeadsToItsObjectAndBack) {
  auto thing = std::make_shared<Thing>();
  ze_event_handle_t handle = nullptr;
  EXPECT_EQ(publish(thing, &handle), ZE_RESULT_SUCCESS);
  EXPECT_EQ(find_object<Thing>(handle), thing.get());
  EXPECT_EQ(share_object<Thing>(handle), thing);
  EXPECT_EQ(handle_of<ze_event_handle_t>(*thing), handle);
}

TEST(Handle, OfAnotherKindIsRefused) {
  ze_event_handle_t handle = nullptr;
  publish(std::make_shared<Thing>(), &handle);
  EXPECT_EQ(find_object<OtherThing>(handle), nullptr);
  EXPECT_EQ(retire<OtherThing>(handle), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(find_object<Thing>(handle), nullptr);
}

TEST(Handle, NullAndWildValuesAreRefused) {
  ze_event_handle_t handle = nullptr;
  publish(std::make_shared<Thing>(), &handle);
  int local = 0;
  char* inside = reinterpret_cast<char*>(handle) + 8;
  char* behind = reinterpret_cast<char*>(handle) + (std::size_t{1} << 40);
  for (const void* wild : {static_cast<const void*>(&local), static_cast<const void*>(inside),
                           static_cast<const void*>(behind), reinterpret_cast<const void*>(1),
                           reinterpret_cast<const void*>(~std::uintptr_t{0})}) {
    EXPECT_EQ(find_object<Thing>(wild), nullptr);
    EXPECT_EQ(bad_handle(wild), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(retire<Thing>(wild), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  }
  EXPECT_EQ(find_object<Thing>(nullptr), nullptr);
  EXPECT_EQ(bad_handle(nullptr), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
}

TEST(Handle, EndsOnceAndKeepsSharedObjectsAlive) {
  ze_event_handle_t handle = nullptr;
  publish(std::make_shared<Thing>(), &handle);
  const auto kept = share_object<Thing>(handle);
  EXPECT_EQ(retire<Thing>(handle), ZE_RESULT_SUCCESS);
  EXPECT_EQ(retire<Thing>(handle), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(find_object<Thing>(handle), nullptr);
  EXPECT_EQ(kept->value, 7);
}

TEST(Handle, IsNotGivenAgainSoonAfterItsEnd) {
  std::set<void*> ended;
  for (int i = 0; i < 4000; ++i) {
    ze_event_handle_t handle = nullptr;
    publish(std::make_shared<Thing>(), &handle);
    EXPECT_TRUE(ended.insert(handle).second);
    retire<Thing>(handle);
  }
}

TEST(Handle, SlotsAreUsedAgainInTheEnd) {
  std::set<void*> handles;
  for (int i = 0; i < 20000; ++i) {
    ze_event_handle_t handle = nullptr;
    publish(std::make_shared<Thing>(), &handle);
    handles.insert(handle);
    retire<Thing>(handle);
  }
  EXPECT_LT(handles.size(), 5000U);
}

}  // namespace
}  // namespace softgpu
