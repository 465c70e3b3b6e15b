// MessagePack, each value in its smallest form.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace proton_xpu {

class MsgpackWriter {
 public:
  explicit MsgpackWriter(std::string* out) : out_(*out) {}

  /// As many keys and values, or values, must follow.
  void begin_map(std::uint32_t size);
  void begin_array(std::uint32_t size);

  void string(std::string_view text);  ///< Bytes that are not UTF-8 become U+FFFD.
  void unsigned_integer(std::uint64_t value);
  void integer(std::int64_t value);
  void real(double value);  ///< Always a float 64.
  void boolean(bool value);

 private:
  void big_endian(std::uint64_t value, int bytes);
  void tagged(int tag, std::uint64_t value, int bytes);

  std::string& out_;
};

}  // namespace proton_xpu
