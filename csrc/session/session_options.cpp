#include "session/session_options.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "context/errors.h"

namespace proton_xpu {
namespace {

// Proton names the profiler that refuses a mode.
constexpr char kProfilerLabel[] = "XpuptiProfiler: ";

std::optional<OutputFormat> find_format(const std::string& text) {
  for (const OutputFormat format :
       {OutputFormat::kHatchet, OutputFormat::kHatchetMsgpack, OutputFormat::kChromeTrace}) {
    if (lower_case(text) == format_name(format)) {
      return format;
    }
  }
  return std::nullopt;
}

bool parse_switch(const std::string& key, const std::string& value) {
  const std::string word = lower_case(value);
  if (word != "on" && word != "off") {
    throw_invalid_argument(kProfilerLabel + key + " is on or off, not: " + value);
  }
  return word == "on";
}

void apply_option(const std::string& option, SessionMode* mode) {
  const std::size_t equals = option.find('=');
  if (equals == std::string::npos) {
    return;
  }
  const std::string key = option.substr(0, equals);
  const std::string value = option.substr(equals + 1);
  if (key == "format") {
    const std::optional<OutputFormat> format = find_format(value);
    if (!format) {
      throw_invalid_argument(kProfilerLabel + ("unsupported format: " + value));
    }
    mode->periodic_format = *format;
  } else if (key == "memory_ops") {
    mode->memory_ops = parse_switch(key, value);
  } else {
    throw_invalid_argument(kProfilerLabel + ("unsupported option key: " + key));
  }
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

ContextKind parse_context(const std::string& text) {
  const std::string word = lower_case(text);
  if (word == "shadow") {
    return ContextKind::kShadow;
  }
  if (word == "python") {
    return ContextKind::kPython;
  }
  throw_invalid_argument("Unknown context source: " + text);
}

DataKind parse_data(const std::string& text) {
  const std::string word = lower_case(text);
  if (word == "tree") {
    return DataKind::kTree;
  }
  if (word == "trace") {
    return DataKind::kTrace;
  }
  throw_invalid_argument("Unknown data: " + text);
}

OutputFormat parse_output_format(const std::string& text) {
  const std::optional<OutputFormat> format = find_format(text);
  if (!format) {
    throw_invalid_argument("Unknown output format: " + text);
  }
  return *format;
}

const char* format_name(OutputFormat format) {
  switch (format) {
    case OutputFormat::kHatchet:
      return "hatchet";
    case OutputFormat::kHatchetMsgpack:
      return "hatchet_msgpack";
    case OutputFormat::kChromeTrace:
      return "chrome_trace";
  }
  return "";
}

OutputFormat default_format(DataKind data) {
  return data == DataKind::kTree ? OutputFormat::kHatchet : OutputFormat::kChromeTrace;
}

bool can_write(DataKind data, OutputFormat format) {
  return (data == DataKind::kTrace) == (format == OutputFormat::kChromeTrace);
}

std::vector<std::string> split_mode(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

SessionMode parse_mode(const std::string& text) {
  SessionMode mode;
  mode.parts = split_mode(text);
  if (mode.parts.empty()) {
    return mode;
  }
  const std::string name = lower_case(mode.parts.front());
  if (name.empty()) {
    return mode;
  }
  if (name == "memory_ops") {
    mode.memory_ops = true;
  } else if (name == "periodic_flushing") {
    mode.periodic_flushing = true;
    for (std::size_t i = 1; i < mode.parts.size(); ++i) {
      apply_option(mode.parts[i], &mode);
    }
  } else {
    throw_invalid_argument(kProfilerLabel + ("unsupported mode: " + mode.parts.front()));
  }
  return mode;
}

}  // namespace proton_xpu
