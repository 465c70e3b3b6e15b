#include "format/growing_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "context/errors.h"

namespace proton_xpu {
namespace {

constexpr mode_t kFileMode = 0666;
constexpr std::size_t kCopyBytes = std::size_t{1} << 20;

int open_nameless() {
  std::FILE* file = std::tmpfile();
  if (file == nullptr) {
    return -1;
  }
  const int descriptor = fcntl(fileno(file), F_DUPFD_CLOEXEC, 0);
  std::fclose(file);
  return descriptor;
}

}  // namespace

GrowingFile::~GrowingFile() {
  if (descriptor_ >= 0) {
    close(descriptor_);
  }
}

void GrowingFile::fail() const {
  throw_runtime_error("Cannot write the profile to " +
                      (path_.empty() ? std::string("a temporary file") : path_) + ": " +
                      std::strerror(errno));
}

void GrowingFile::open() {
  descriptor_ = path_.empty()
                    ? open_nameless()
                    : ::open(path_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, kFileMode);
  if (descriptor_ < 0) {
    fail();
  }
}

void GrowingFile::step(std::string_view body, std::string_view tail) {
  if (descriptor_ < 0) {
    open();
  }
  std::string content;
  content.reserve(body.size() + tail.size());
  content.append(body).append(tail);
  std::size_t written = 0;
  while (written < content.size()) {
    const ssize_t count = pwrite(descriptor_, content.data() + written, content.size() - written,
                                 static_cast<off_t>(body_size_ + written));
    if (count < 0 && errno != EINTR) {
      fail();
    }
    written += count < 0 ? 0 : static_cast<std::size_t>(count);
  }
  if (ftruncate(descriptor_, static_cast<off_t>(body_size_ + content.size())) != 0) {
    fail();
  }
  body_size_ += body.size();
}

void GrowingFile::move_to(const std::string& path) {
  if (path == path_) {
    return;
  }
  if (std::rename(path_.c_str(), path.c_str()) != 0) {
    fail();
  }
  path_ = path;
}

void GrowingFile::copy_to(int descriptor) const {
  std::string block(kCopyBytes, '\0');
  for (off_t offset = 0;;) {
    const ssize_t count = pread(descriptor_, block.data(), block.size(), offset);
    if (count == 0) {
      return;
    }
    if (count < 0) {
      fail();
    }
    for (ssize_t written = 0; written < count;) {
      const ssize_t step =
          ::write(descriptor, block.data() + written, static_cast<std::size_t>(count - written));
      if (step < 0 && errno != EINTR) {
        fail();
      }
      written += step < 0 ? 0 : step;
    }
    offset += count;
  }
}

void GrowingFile::discard() noexcept {
  if (descriptor_ >= 0) {
    close(descriptor_);
    descriptor_ = -1;
    body_size_ = 0;
    if (!path_.empty()) {
      unlink(path_.c_str());
    }
  }
}

}  // namespace proton_xpu
