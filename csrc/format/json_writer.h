// Objects and arrays, indented or on one line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "format/json_text.h"

namespace proton_xpu {

/// The caller keeps the order: key before value inside an object, every begin has its end.
class JsonWriter {
 public:
  JsonWriter(bool indented, std::string* out) : indented_(indented), out_(*out) {}

  void begin_object() { begin('{'); }
  void end_object() { end('}'); }
  void begin_array() { begin('['); }
  void end_array() { end(']'); }

  void key(std::string_view name) {
    next_item();
    append_json_string(name, &out_);
    out_ += indented_ ? ": " : ":";
    after_key_ = true;
  }

  void value(std::string_view text) {
    next_item();
    append_json_string(text, &out_);
  }
  void value(const char* text) { value(std::string_view(text)); }
  void value(bool truth) {
    next_item();
    out_ += truth ? "true" : "false";
  }
  template <typename Number>
  void number(Number number_value) {
    next_item();
    append_json_number(number_value, &out_);
  }

 private:
  void begin(char bracket) {
    next_item();
    out_ += bracket;
    has_items_.push_back(false);
  }

  void end(char bracket) {
    const bool had_items = has_items_.back();
    has_items_.pop_back();
    if (had_items) {
      new_line();
    }
    out_ += bracket;
  }

  // Puts the comma and the line break before whatever comes next.
  void next_item() {
    if (after_key_) {
      after_key_ = false;
      return;
    }
    if (has_items_.empty()) {
      return;
    }
    if (has_items_.back()) {
      out_ += ',';
    }
    has_items_.back() = true;
    new_line();
  }

  void new_line() {
    if (indented_) {
      out_ += '\n';
      out_.append(has_items_.size() * 4, ' ');
    }
  }

  const bool indented_;
  std::string& out_;
  std::vector<bool> has_items_;
  bool after_key_ = false;
};

}  // namespace proton_xpu
