// Where a session writes.
#pragma once

#include <string>
#include <string_view>

#include "data/profile_data.h"
#include "session/session_options.h"

namespace proton_xpu {

/// A session's files, all beside each other: `<name>.<format>`, or `<name>.part_<phase>.<format>`.
/// The names "" and "-" mean the standard output.
class OutputPath {
 public:
  /// A relative name is taken from the present working directory, whatever it is later.
  explicit OutputPath(const std::string& name);

  /// Throws std::invalid_argument if a file of this format could not be written.
  void require_writable(OutputFormat format) const;

  /// Paths of the files; empty for the standard output.
  std::string file(OutputFormat format) const;
  std::string part(Phase phase, OutputFormat format) const;

  /// Writes one file whole: either the new content stands there or the old. Throws
  /// std::runtime_error.
  void write(OutputFormat format, std::string_view content) const;
  void write_part(Phase phase, OutputFormat format, std::string_view content) const;

 private:
  static void write_to(const std::string& file, std::string_view content);

  std::string stem_;  // Empty: the standard output.
};

}  // namespace proton_xpu
