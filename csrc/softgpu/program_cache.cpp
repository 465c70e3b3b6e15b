#include "softgpu/program_cache.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

namespace softgpu {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".program";
constexpr std::string_view kTemporarySuffix = ".tmp";
constexpr std::array<char, 8> kMagic{'S', 'G', 'P', 'U', 'P', 'R', 'G', '1'};
// Unfinished files of writers that died are removed once they are this old.
constexpr auto kAbandonedAfter = std::chrono::hours(1);

struct Header {
  std::array<char, 8> magic = kMagic;
  std::uint64_t key_bytes = 0;
  std::uint64_t program_bytes = 0;
  std::uint64_t checksum = 0;
};

/// FNV-1a.
std::uint64_t hash(std::string_view bytes) {
  std::uint64_t value = 14695981039346656037ULL;
  for (const char byte : bytes) {
    value = (value ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
  }
  return value;
}

bool has_suffix(const fs::path& path, std::string_view suffix) {
  return path.extension() == fs::path(suffix);
}

}  // namespace

ProgramCache::ProgramCache(fs::path folder, std::uint64_t limit_bytes)
    : folder_(std::move(folder)), limit_bytes_(limit_bytes) {}

fs::path ProgramCache::default_folder() {
  const auto variable = [](const char* name) -> fs::path {
    const char* value = std::getenv(name);
    return value != nullptr ? fs::path(value) : fs::path();
  };
  if (auto folder = variable("PROTON_XPU_SOFTGPU_CACHE"); !folder.empty()) return folder;
  fs::path base = variable("XDG_CACHE_HOME");
  if (base.empty()) {
    const fs::path home = variable("HOME");
    if (home.empty()) return {};
    base = home / ".cache";
  }
  return base / "proton_xpu" / "softgpu";
}

fs::path ProgramCache::path_of(std::string_view key) const {
  std::array<char, 17> name{};
  std::snprintf(name.data(), name.size(), "%016llx", static_cast<unsigned long long>(hash(key)));
  return folder_ / (std::string(name.data()) + std::string(kSuffix));
}

std::optional<std::string> ProgramCache::load(std::string_view key) const {
  if (folder_.empty()) return std::nullopt;
  const fs::path path = path_of(key);
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  Header header;
  if (bytes.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::size_t room = bytes.size() - sizeof header;
  if (header.magic != kMagic || header.key_bytes > room ||
      header.program_bytes != room - header.key_bytes) {
    return std::nullopt;
  }
  const std::string_view contents = std::string_view(bytes).substr(sizeof header);
  if (hash(contents) != header.checksum || contents.substr(0, header.key_bytes) != key) {
    return std::nullopt;
  }
  std::error_code ignored;  // The time of use only serves eviction.
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  return std::string(contents.substr(header.key_bytes));
}

void ProgramCache::store(std::string_view key, std::string_view program) const {
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return;

  std::string contents(key);
  contents += program;
  Header header;
  header.key_bytes = key.size();
  header.program_bytes = program.size();
  header.checksum = hash(contents);

  static std::atomic<unsigned> serial{0};
  const fs::path path = path_of(key);
  fs::path temporary = path;
  temporary += "." + std::to_string(getpid()) + "-" + std::to_string(serial++);
  temporary += kTemporarySuffix;
  {
    std::ofstream file(temporary, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&header), sizeof header);
    file.write(contents.data(), static_cast<std::streamsize>(contents.size()));
    file.close();
    if (!file) error = std::make_error_code(std::errc::io_error);
  }
  if (!error) fs::rename(temporary, path, error);
  if (error) {
    fs::remove(temporary, error);
    return;
  }
  evict();
}

void ProgramCache::remove(std::string_view key) const {
  if (folder_.empty()) return;
  std::error_code ignored;  // Gone already is as good.
  fs::remove(path_of(key), ignored);
}

void ProgramCache::evict() const {
  struct Entry {
    fs::file_time_type used;
    fs::path path;
    std::uint64_t bytes;
  };
  std::vector<Entry> entries;
  std::uint64_t total = 0;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (auto it = fs::directory_iterator(folder_, error); !error && it != fs::directory_iterator();
       it.increment(error)) {
    std::error_code gone;  // Others may remove files at the same time.
    const auto used = it->last_write_time(gone);
    const auto bytes = gone ? 0 : it->file_size(gone);
    if (gone) continue;
    if (has_suffix(it->path(), kTemporarySuffix) && now - used > kAbandonedAfter) {
      fs::remove(it->path(), gone);
    } else if (has_suffix(it->path(), kSuffix)) {
      entries.push_back({used, it->path(), bytes});
      total += bytes;
    }
  }
  if (total <= limit_bytes_) return;
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const auto& entry : entries) {
    if (total <= limit_bytes_) break;
    fs::remove(entry.path, error);
    total -= entry.bytes;
  }
}

}  // namespace softgpu
