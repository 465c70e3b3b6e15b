// The driver as a loader sees it: through its dispatch tables, with a device and a fake module
// ready.
#pragma once

#include <gtest/gtest.h>
#include <level_zero/ze_api.h>
#include <level_zero/ze_ddi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "softgpu/fake_program.h"

namespace softgpu::testing {

inline constexpr std::uint64_t kForever = UINT64_MAX;
inline constexpr ze_group_count_t kOneGroup{1, 1, 1};

/// All core tables, filled once for the newest version.
const ze_dditable_t& ze();

/// A kernel that waits until it is let through, and says that it has begun.
class Gate {
 public:
  void open() { open_.store(true); }
  void wait_until_entered() const {
    while (!entered_.load()) std::this_thread::yield();
  }
  static void pass(void* gate) {
    auto* self = static_cast<Gate*>(gate);
    self->entered_.store(true);
    while (!self->open_.load()) std::this_thread::yield();
  }

 private:
  std::atomic<bool> open_{false};
  std::atomic<bool> entered_{false};
};

/// Numbers in the order in which kernels wrote them.
class Journal {
 public:
  struct Entry {
    Journal* journal;
    int number;
  };
  /// Stays valid as long as the journal.
  Entry* entry(int number) {
    entries_.push_back(std::make_unique<Entry>(Entry{this, number}));
    return entries_.back().get();
  }
  static void write(void* entry);
  std::vector<int> numbers() const;

 private:
  std::vector<std::unique_ptr<Entry>> entries_;
  mutable std::mutex mutex_;
  std::vector<int> numbers_;
};

class SoftDevice : public ::testing::Test {
 protected:
  void SetUp() override;

  ze_command_list_handle_t immediate_list(
      ze_command_queue_mode_t mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_command_list_handle_t recorded_list();
  ze_command_queue_handle_t queue(
      ze_command_queue_mode_t mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_event_pool_handle_t pool(std::uint32_t size, bool counter_based = false);
  ze_event_handle_t event(bool counter_based = false);
  ze_fence_handle_t fence(ze_command_queue_handle_t queue);
  ze_kernel_handle_t kernel(const std::string& name);

  /// A "call" kernel with its arguments set.
  ze_kernel_handle_t call(Callback function, void* data);

  /// Appends a launch of one group and expects success.
  void launch(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
              ze_event_handle_t signal = nullptr, std::vector<ze_event_handle_t> waits = {});

  void close(ze_command_list_handle_t list);
  void execute(ze_command_queue_handle_t queue, ze_command_list_handle_t list,
               ze_fence_handle_t fence = nullptr);
  void synchronize(ze_command_list_handle_t list);
  void synchronize(ze_command_queue_handle_t queue);

  /// Start and end of the event's last work, in ticks.
  ze_kernel_timestamp_data_t stamps(ze_event_handle_t event);

  ze_driver_handle_t driver_ = nullptr;
  ze_device_handle_t device_ = nullptr;
  ze_context_handle_t context_ = nullptr;
  ze_module_handle_t module_ = nullptr;
};

}  // namespace softgpu::testing
