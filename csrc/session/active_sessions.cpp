#include "session/active_sessions.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "session/thread_context.h"

namespace proton_xpu {

ActiveSessions::Snapshot ActiveSessions::snapshot() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return {epoch_.load(std::memory_order_relaxed), sessions_};
}

void ActiveSessions::set(List sessions) {
  const std::lock_guard<std::mutex> lock(mutex_);
  sessions_ = std::move(sessions);
  epoch_.fetch_add(1, std::memory_order_seq_cst);
}

void ActiveSessions::touch() {
  const std::lock_guard<std::mutex> lock(mutex_);
  epoch_.fetch_add(1, std::memory_order_seq_cst);
}

void ActiveSessions::add_thread(ThreadContext* thread) {
  const std::lock_guard<std::mutex> lock(threads_mutex_);
  threads_.push_back(thread);
}

void ActiveSessions::remove_thread(ThreadContext* thread) {
  const std::lock_guard<std::mutex> lock(threads_mutex_);
  threads_.erase(std::remove(threads_.begin(), threads_.end(), thread), threads_.end());
}

void ActiveSessions::wait_for_launches() const {
  const std::lock_guard<std::mutex> lock(threads_mutex_);
  for (const ThreadContext* thread : threads_) {
    while (thread->is_launching()) {
      std::this_thread::yield();
    }
  }
}

}  // namespace proton_xpu
