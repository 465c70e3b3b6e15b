// Interned names: every scope, frame, state and kernel name of the process is stored once.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace proton_xpu {

using NameId = std::uint32_t;

/// Thread-safe. Names are never dropped, so an id and its text are valid for the process's life.
class NameTable {
 public:
  /// The table of the process. It is never destroyed, and a forked child keeps its content.
  static NameTable& instance();

  NameId intern(std::string_view text);
  std::string_view text(NameId id) const;
  std::size_t size() const;

 private:
  friend void install_name_table_fork_handlers();

  mutable std::mutex mutex_;
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, NameId> ids_;
};

}  // namespace proton_xpu
