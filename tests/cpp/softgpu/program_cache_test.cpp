#include "softgpu/program_cache.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace softgpu {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLarge = 1 << 20;

class ProgramCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) /
              (std::string("softgpu_cache_") + info->name() + std::to_string(getpid()));
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(ProgramCacheTest, GivesBackWhatWasStored) {
  const ProgramCache cache(folder_ / "made" / "on demand", kLarge);
  const std::string key("key\0with zero", 13);
  const std::string program("\0\x01program", 9);
  EXPECT_FALSE(cache.load(key).has_value());
  cache.store(key, program);
  EXPECT_EQ(cache.load(key), program);
  EXPECT_FALSE(cache.load("key").has_value());
  cache.store(key, "newer");
  EXPECT_EQ(cache.load(key), "newer");
  cache.remove(key);
  EXPECT_FALSE(cache.load(key).has_value());
  cache.remove(key);
}

TEST_F(ProgramCacheTest, AFileOfAnotherKeyIsAMiss) {
  const ProgramCache cache(folder_, kLarge);
  cache.store("one", "program");
  fs::rename(cache.path_of("one"), cache.path_of("two"));  // As if the names had collided.
  EXPECT_FALSE(cache.load("two").has_value());
}

TEST_F(ProgramCacheTest, EveryDamageIsAMiss) {
  const ProgramCache cache(folder_, kLarge);
  cache.store("key", "program");
  const fs::path path = cache.path_of("key");
  const auto size = fs::file_size(path);
  for (std::size_t at = 0; at < size; ++at) {
    cache.store("key", "program");
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const auto byte = static_cast<char>(file.get() ^ 0x80);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte);
    file.close();
    EXPECT_FALSE(cache.load("key").has_value()) << "byte " << at;
  }
  for (std::size_t length = 0; length < size; ++length) {
    cache.store("key", "program");
    fs::resize_file(path, length);
    EXPECT_FALSE(cache.load("key").has_value()) << "length " << length;
  }
}

TEST_F(ProgramCacheTest, TheLeastRecentlyUsedGoFirst) {
  const ProgramCache cache(folder_, 3000);
  const std::string program(700, 'x');
  const auto now = fs::file_time_type::clock::now();
  for (int i = 0; i < 4; ++i) {
    cache.store(std::to_string(i), program);
    fs::last_write_time(cache.path_of(std::to_string(i)), now - std::chrono::minutes(50 - 10 * i));
  }
  EXPECT_TRUE(cache.load("0").has_value());  // Used again: now the youngest.
  cache.store("4", program);
  EXPECT_TRUE(cache.load("0").has_value());
  EXPECT_FALSE(cache.load("1").has_value());
  EXPECT_TRUE(cache.load("2").has_value());
  EXPECT_TRUE(cache.load("3").has_value());
  EXPECT_TRUE(cache.load("4").has_value());
}

TEST_F(ProgramCacheTest, RemovesUnfinishedFilesOfWritersThatDied) {
  const ProgramCache cache(folder_, kLarge);
  fs::create_directories(folder_);
  const fs::path old = folder_ / "0123.program.1-0.tmp";
  const fs::path fresh = folder_ / "0123.program.2-0.tmp";
  const fs::path foreign = folder_ / "notes.txt";
  for (const auto& path : {old, fresh, foreign}) std::ofstream(path) << "x";
  for (const auto& path : {old, foreign}) {
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(2));
  }
  cache.store("key", "program");
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(fresh));
  EXPECT_TRUE(fs::exists(foreign));
}

TEST_F(ProgramCacheTest, AFolderThatCannotBeMadeIsNoCache) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "file") << "x";
  for (const fs::path& folder : {fs::path(), folder_ / "file" / "below"}) {
    const ProgramCache cache(folder, kLarge);
    cache.store("key", "program");
    EXPECT_FALSE(cache.load("key").has_value());
    cache.remove("key");
  }
}

TEST_F(ProgramCacheTest, ManyWritersAndReadersSeeWholeEntriesOnly) {
  const ProgramCache cache(folder_, kLarge);
  std::vector<std::thread> threads;
  std::vector<std::size_t> wrong(4);
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&cache, &wrong, t] {
      for (int i = 0; i < 100; ++i) {
        cache.store("key", std::string(5000 + t, static_cast<char>('a' + t)));
        const auto program = cache.load("key");
        if (!program ||
            program->size() != 5000U + static_cast<std::size_t>(program->front() - 'a')) {
          ++wrong[t];
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<std::size_t>(4));
  EXPECT_EQ(files(), 1U);
}

TEST(ProgramCacheFolder, FollowsTheEnvironment) {
  setenv("PROTON_XPU_SOFTGPU_CACHE", "/a/folder", 1);
  EXPECT_EQ(ProgramCache::default_folder(), "/a/folder");
  unsetenv("PROTON_XPU_SOFTGPU_CACHE");
  setenv("XDG_CACHE_HOME", "/caches", 1);
  EXPECT_EQ(ProgramCache::default_folder(), "/caches/proton_xpu/softgpu");
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", "/home/someone", 1);
  EXPECT_EQ(ProgramCache::default_folder(), "/home/someone/.cache/proton_xpu/softgpu");
  unsetenv("HOME");
  EXPECT_EQ(ProgramCache::default_folder(), "");
}

}  // namespace
}  // namespace softgpu
