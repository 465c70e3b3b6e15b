// What a test tells the device: which clock, whether to execute, how long kernels take. Also counts
// what was executed. The C interface to it is control.h.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "softgpu/command.h"

namespace softgpu {

/// The entries told for one kernel name.
class ScriptEntries {
 public:
  struct Entry {
    std::uint64_t delay;
    std::uint64_t duration;
    std::uint64_t repeat;  ///< UINT64_MAX: never used up.
  };

 private:
  friend class Script;
  std::deque<Entry> entries_;
};

class Script {
 public:
  static Script& instance();

  void set_scripted_clock(bool on) { scripted_.store(on); }
  bool scripted_clock() const { return scripted_.load(std::memory_order_relaxed); }

  void set_execution(bool on) { execution_.store(on); }
  bool execution() const { return execution_.load(std::memory_order_relaxed); }

  /// The entries of a kernel name; stay valid for ever.
  ScriptEntries* entries_of(const std::string& kernel);

  /// For kernels without entries of their own.
  ScriptEntries* entries_of_any_kernel() { return &any_kernel_; }

  void push(ScriptEntries* entries, const ScriptEntries::Entry& entry);
  void clear();

  /// Delay and duration of the next launch (`kernel` set) or other operation; takes the entry.
  /// Called in the order of submission, so that the host decides which launch gets which entry.
  void assign(CommandKind kind, ScriptEntries* kernel, Timing& timing);

  void count(CommandKind kind) {
    counts_[static_cast<std::size_t>(kind)].fetch_add(1, std::memory_order_relaxed);
  }
  std::uint64_t count_of(CommandKind kind) const {
    return counts_[static_cast<std::size_t>(kind)].load(std::memory_order_relaxed);
  }

 private:
  static bool take(ScriptEntries& entries, Timing& timing);

  std::atomic<bool> scripted_{false};
  std::atomic<bool> execution_{true};
  std::array<std::atomic<std::uint64_t>, kCommandKinds> counts_{};
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<ScriptEntries>> by_kernel_;
  ScriptEntries any_kernel_;
};

}  // namespace softgpu
