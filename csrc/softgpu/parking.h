// Waiting for a condition that other threads make true. Waiters are grouped by the address that
// they wait on, so the thing waited for needs no lock of its own, and a change that nobody waits
// for costs its thread one atomic operation.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace softgpu {

class ParkingLot {
 public:
  static constexpr std::uint64_t kForever = ~std::uint64_t{0};

  /// Waits until `condition()` holds or `timeout_ns` have passed; returns what it was last.
  /// Whoever makes it true must call notify(address) afterwards.
  template <typename Condition>
  static bool wait(const void* address, std::uint64_t timeout_ns, Condition condition) {
    if (condition()) return true;
    if (timeout_ns == 0) return false;
    Bucket& bucket = bucket_of(address);
    bucket.waiters.fetch_add(1);
    std::unique_lock<std::mutex> lock(bucket.mutex);
    bool met = true;
    if (timeout_ns > kLongestTimeout) {
      bucket.changed.wait(lock, condition);
    } else {
      const auto deadline = std::chrono::steady_clock::now() + std::chrono::nanoseconds(timeout_ns);
      met = bucket.changed.wait_until(lock, deadline, condition);
    }
    lock.unlock();
    bucket.waiters.fetch_sub(1);
    return met;
  }

  static void notify(const void* address) { notify_bucket(bucket_of(address)); }

  /// Makes every waiter look at its condition again.
  static void notify_all_buckets();

 private:
  struct alignas(64) Bucket {
    std::atomic<int> waiters{0};
    std::mutex mutex;
    std::condition_variable changed;
  };

  static constexpr unsigned kBucketBits = 6;
  static constexpr std::uint64_t kLongestTimeout = std::uint64_t{1} << 61;

  static Bucket* buckets();

  static Bucket& bucket_of(const void* address) {
    constexpr std::uint64_t kGoldenRatio = 0x9E3779B97F4A7C15;
    const auto value = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(address));
    return buckets()[(value * kGoldenRatio) >> (64 - kBucketBits)];
  }

  static void notify_bucket(Bucket& bucket) {
    // A read-modify-write: either it sees the waiter, or the waiter, counting itself later, sees
    // all that this thread wrote before.
    if (bucket.waiters.fetch_add(0) == 0) return;
    const std::lock_guard<std::mutex> lock(bucket.mutex);
    bucket.changed.notify_all();
  }
};

}  // namespace softgpu
