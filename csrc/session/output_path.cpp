#include "session/output_path.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "context/errors.h"

namespace proton_xpu {
namespace {

std::string reason() { return std::strerror(errno); }

void write_all(std::FILE* stream, std::string_view content, const std::string& name) {
  const bool is_written =
      std::fwrite(content.data(), 1, content.size(), stream) == content.size() &&
      std::fflush(stream) == 0;
  if (!is_written) {
    throw_runtime_error("Cannot write the profile to " + name + ": " + reason());
  }
}

}  // namespace

OutputPath::OutputPath(const std::string& name) {
  if (!name.empty() && name != "-") {
    stem_ = std::filesystem::absolute(name).string();
  }
}

std::string OutputPath::file(OutputFormat format) const {
  return stem_.empty() ? "" : stem_ + "." + format_name(format);
}

std::string OutputPath::part(Phase phase, OutputFormat format) const {
  return stem_.empty() ? "" : stem_ + ".part_" + std::to_string(phase) + "." + format_name(format);
}

void OutputPath::require_writable(OutputFormat format) const {
  if (stem_.empty()) {
    return;
  }
  const std::string target = file(format);
  const std::string directory = std::filesystem::path(target).parent_path().string();
  const std::string problem = "Cannot write a profile to " + target + ": ";
  if (access(directory.c_str(), F_OK) != 0) {
    throw_invalid_argument(problem + "the directory " + directory +
                           " does not exist. Create it, or choose another name.");
  }
  if (access(directory.c_str(), W_OK | X_OK) != 0 || std::filesystem::is_directory(target)) {
    throw_invalid_argument(problem + "it is not writable. Choose another name.");
  }
}

void OutputPath::write(OutputFormat format, std::string_view content) const {
  write_to(file(format), content);
}

void OutputPath::write_part(Phase phase, OutputFormat format, std::string_view content) const {
  write_to(part(phase, format), content);
}

void OutputPath::write_to(const std::string& file, std::string_view content) {
  if (file.empty()) {
    write_all(stdout, content, "the standard output");
    return;
  }
  const std::string unfinished = file + ".unfinished";
  std::FILE* stream = std::fopen(unfinished.c_str(), "wb");
  if (stream == nullptr) {
    throw_runtime_error("Cannot write the profile to " + file + ": " + reason());
  }
  try {
    write_all(stream, content, file);
  } catch (...) {
    std::fclose(stream);
    std::remove(unfinished.c_str());
    throw;
  }
  if (std::fclose(stream) != 0 || std::rename(unfinished.c_str(), file.c_str()) != 0) {
    const std::string why = reason();
    std::remove(unfinished.c_str());
    throw_runtime_error("Cannot write the profile to " + file + ": " + why);
  }
}

}  // namespace proton_xpu
