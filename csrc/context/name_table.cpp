#include "context/name_table.h"

#include <pthread.h>

namespace proton_xpu {

// A thread that is interning while another one forks would leave the child a locked table.
void install_name_table_fork_handlers() {
  pthread_atfork([] { NameTable::instance().mutex_.lock(); },
                 [] { NameTable::instance().mutex_.unlock(); },
                 [] { NameTable::instance().mutex_.unlock(); });
}

NameTable& NameTable::instance() {
  static auto* const table = new NameTable();
  static std::once_flag fork_handlers;
  std::call_once(fork_handlers, install_name_table_fork_handlers);
  return *table;
}

NameId NameTable::intern(std::string_view text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = ids_.find(text);
  if (found != ids_.end()) {
    return found->second;
  }
  const auto id = static_cast<NameId>(texts_.size());
  ids_.emplace(texts_.emplace_back(text), id);
  return id;
}

std::string_view NameTable::text(NameId id) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return texts_[id];
}

std::size_t NameTable::size() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return texts_.size();
}

}  // namespace proton_xpu
