// Compiled programs on disk. A matrix multiplication takes seconds to compile and milliseconds to
// load, so what was compiled once is kept, addressed by everything that it depends on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace softgpu {

/// A folder of entries. Each entry holds its whole key, so that a collision of file names is a
/// miss, not a wrong program, and a checksum, so that a damaged file is one as well. Entries are
/// written aside and renamed; readers and writers in other processes need no lock. A folder that
/// cannot be used makes every load a miss and every store a no-op.
class ProgramCache {
 public:
  /// `limit_bytes`: the entries used least recently go when all together are larger.
  ProgramCache(std::filesystem::path folder, std::uint64_t limit_bytes);

  /// The folder that PROTON_XPU_SOFTGPU_CACHE, XDG_CACHE_HOME or HOME says; empty if none does.
  static std::filesystem::path default_folder();

  std::optional<std::string> load(std::string_view key) const;
  void store(std::string_view key, std::string_view program) const;
  void remove(std::string_view key) const;

  std::filesystem::path path_of(std::string_view key) const;

 private:
  void evict() const;

  std::filesystem::path folder_;
  std::uint64_t limit_bytes_;
};

}  // namespace softgpu
