#include "context/name_table.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace proton_xpu {
namespace {

TEST(NameTable, GivesOneIdToOneText) {
  NameTable table;
  const NameId a = table.intern("a");
  const std::string same_text = "a";
  EXPECT_EQ(table.intern(same_text), a);
  EXPECT_NE(table.intern("b"), a);
  EXPECT_EQ(table.text(a), "a");
  EXPECT_EQ(table.size(), 2u);
}

TEST(NameTable, KeepsTextsWhereTheyAre) {
  NameTable table;
  const std::string_view first = table.text(table.intern("first"));
  for (int i = 0; i < 5000; ++i) {
    table.intern(std::to_string(i));
  }
  EXPECT_EQ(table.text(table.intern("first")).data(), first.data());
}

TEST(NameTable, KeepsBytesThatAreNoText) {
  NameTable table;
  const std::string bytes("\xFF\0z", 3);
  EXPECT_EQ(table.text(table.intern(bytes)), bytes);
}

TEST(NameTable, AgreesBetweenThreads) {
  NameTable table;
  std::vector<std::vector<NameId>> ids(4);
  std::vector<std::thread> threads;
  for (auto& own : ids) {
    threads.emplace_back([&table, &own] {
      for (int i = 0; i < 500; ++i) {
        own.push_back(table.intern("name" + std::to_string(i)));
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(ids[1], ids[0]);
  EXPECT_EQ(ids[2], ids[0]);
  EXPECT_EQ(ids[3], ids[0]);
  EXPECT_EQ(table.size(), 500u);
}

TEST(NameTable, IsUsableInAChildForkedWhileOthersIntern) {
  std::atomic<bool> is_done{false};
  std::thread busy([&is_done] {
    for (int i = 0; !is_done.load(); ++i) {
      NameTable::instance().intern("busy" + std::to_string(i % 100));
    }
  });
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      const NameId name = NameTable::instance().intern("child");
      _exit(NameTable::instance().text(name) == "child" ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  is_done.store(true);
  busy.join();
}

}  // namespace
}  // namespace proton_xpu
