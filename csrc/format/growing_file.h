// A file that grows at its end but for a tail, which each step replaces.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace proton_xpu {

/// Members that write throw std::runtime_error.
class GrowingFile {
 public:
  /// Nothing is made before the first step. An empty path means a file without a name.
  explicit GrowingFile(std::string path) : path_(std::move(path)) {}
  ~GrowingFile();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  /// Puts `body` where the last tail began, and `tail` behind it, in one write.
  void step(std::string_view body, std::string_view tail);

  /// Gives the file its final name.
  void move_to(const std::string& path);

  /// Copies the file's content to a file descriptor.
  void copy_to(int descriptor) const;

  /// Removes the file.
  void discard() noexcept;

  bool is_open() const { return descriptor_ >= 0; }

 private:
  void open();
  [[noreturn]] void fail() const;

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t body_size_ = 0;
};

}  // namespace proton_xpu
