#include "data/accounting.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace proton_xpu {
namespace {

Accounting example() {
  Accounting accounting;
  accounting.launches = 20;
  accounting.count_activity(ActivityKind::kKernel);
  accounting.count_activity(ActivityKind::kKernel);
  accounting.count_activity(ActivityKind::kCopy);
  accounting.count_activity(ActivityKind::kFill);
  accounting.count_loss(LossReason::kNoRecord);
  accounting.count_loss(LossReason::kBufferDropped);
  accounting.count_loss(LossReason::kNoTimestamp);
  accounting.count_loss(LossReason::kBadTimestamp);
  accounting.count_loss(LossReason::kBadTimestamp);
  return accounting;
}

TEST(Accounting, SortsLossesIntoLostAndUntimed) {
  const Accounting accounting = example();
  EXPECT_EQ(accounting.lost(), 2u);
  EXPECT_EQ(accounting.untimed(), 3u);
}

TEST(Accounting, IsPendingWhatHasNotCome) { EXPECT_EQ(example().pending(), 11u); }

TEST(Accounting, IsNeverNegativelyPending) {
  Accounting accounting = example();
  accounting.launches = 3;
  EXPECT_EQ(accounting.pending(), 0u);
}

TEST(Accounting, CountsWhatIsGivenUpAsLost) {
  Accounting accounting = example();
  accounting.give_up_pending();
  EXPECT_EQ(accounting.pending(), 0u);
  EXPECT_EQ(accounting.lost(), 13u);
  EXPECT_EQ(accounting.launches, accounting.kernels + accounting.copies + accounting.fills +
                                     accounting.lost() + accounting.untimed());
}

TEST(Accounting, HasItsEntriesByName) {
  std::map<std::string, std::uint64_t> entries;
  for (const auto& [name, value] : accounting_entries(example())) {
    entries[name] = value;
  }
  const std::map<std::string, std::uint64_t> expected = {{"copies", 1},
                                                         {"fills", 1},
                                                         {"kernels", 2},
                                                         {"launches", 20},
                                                         {"lost", 2},
                                                         {"lost_buffer_dropped", 1},
                                                         {"lost_no_record", 1},
                                                         {"pending", 11},
                                                         {"untimed", 3},
                                                         {"untimed_bad_timestamp", 2},
                                                         {"untimed_no_timestamp", 1}};
  EXPECT_EQ(entries, expected);
}

}  // namespace
}  // namespace proton_xpu
