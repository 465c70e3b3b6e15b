// The words of `start` read: context, data, backend and mode.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace proton_xpu {

enum class ContextKind : std::uint8_t { kShadow, kPython };
enum class DataKind : std::uint8_t { kTree, kTrace };
enum class OutputFormat : std::uint8_t { kHatchet, kHatchetMsgpack, kChromeTrace };

/// `text` in lower case; all words of the interface may be written in any case.
std::string lower_case(std::string_view text);

/// These throw std::invalid_argument for an unknown word.
ContextKind parse_context(const std::string& text);
DataKind parse_data(const std::string& text);
OutputFormat parse_output_format(const std::string& text);

/// The name of a format, which is the suffix of its files.
const char* format_name(OutputFormat format);

OutputFormat default_format(DataKind data);

/// Whether data of this kind can be written in this format.
bool can_write(DataKind data, OutputFormat format);

/// What the mode string says, as in `periodic_flushing:format=hatchet:memory_ops=on`.
struct SessionMode {
  bool periodic_flushing = false;
  OutputFormat periodic_format = OutputFormat::kHatchet;
  bool memory_ops = false;         ///< Copies and fills are shown as nodes.
  std::vector<std::string> parts;  ///< The string split at colons; equal parts, equal mode.
};

/// `text` split at its colons; empty for "".
std::vector<std::string> split_mode(const std::string& text);

/// Modes are "", `memory_ops` and `periodic_flushing`; the latter's options are `format=` and
/// `memory_ops=on|off`, an option without `=` being ignored. Throws std::invalid_argument.
SessionMode parse_mode(const std::string& text);

}  // namespace proton_xpu
