#include "tracer/pti/buffer_pool.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace proton_xpu {
namespace {

TEST(BufferPool, UsesABlockAgain) {
  BufferPool pool(4096, 2);
  unsigned char* first = pool.take();
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 64, 0U);
  pool.give_back(first);
  EXPECT_EQ(pool.idle_count(), 1U);
  EXPECT_EQ(pool.take(), first);
  EXPECT_EQ(pool.idle_count(), 0U);
  pool.give_back(first);
}

TEST(BufferPool, KeepsNoMoreThanItMay) {
  BufferPool pool(4096, 2);
  unsigned char* blocks[5];
  for (unsigned char*& block : blocks) block = pool.take();
  for (unsigned char* block : blocks) pool.give_back(block);
  EXPECT_EQ(pool.idle_count(), 2U);
}

TEST(BufferPool, RoundsTheSizeDownToTheAlignment) {
  EXPECT_EQ(BufferPool(1000, 1).block_size(), 960U);
}

TEST(BufferPool, IgnoresNull) {
  BufferPool pool(4096, 2);
  pool.give_back(nullptr);
  EXPECT_EQ(pool.idle_count(), 0U);
}

}  // namespace
}  // namespace proton_xpu
