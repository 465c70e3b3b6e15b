#include "format/msgpack_writer.h"

#include <cstring>

#include "format/json_text.h"

namespace proton_xpu {

void MsgpackWriter::big_endian(std::uint64_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    out_ += static_cast<char>(value >> shift & 0xFF);
  }
}

void MsgpackWriter::tagged(int tag, std::uint64_t value, int bytes) {
  out_ += static_cast<char>(tag);
  big_endian(value, bytes);
}

void MsgpackWriter::begin_map(std::uint32_t size) {
  if (size < 16) {
    out_ += static_cast<char>(0x80 | size);
  } else if (size <= 0xFFFF) {
    tagged(0xDE, size, 2);
  } else {
    tagged(0xDF, size, 4);
  }
}

void MsgpackWriter::begin_array(std::uint32_t size) {
  if (size < 16) {
    out_ += static_cast<char>(0x90 | size);
  } else if (size <= 0xFFFF) {
    tagged(0xDC, size, 2);
  } else {
    tagged(0xDD, size, 4);
  }
}

void MsgpackWriter::string(std::string_view text) {
  const std::string valid = valid_utf8(text);
  if (valid.size() < 32) {
    out_ += static_cast<char>(0xA0 | valid.size());
  } else if (valid.size() <= 0xFF) {
    tagged(0xD9, valid.size(), 1);
  } else if (valid.size() <= 0xFFFF) {
    tagged(0xDA, valid.size(), 2);
  } else {
    tagged(0xDB, valid.size(), 4);
  }
  out_ += valid;
}

void MsgpackWriter::unsigned_integer(std::uint64_t value) {
  if (value < 0x80) {
    out_ += static_cast<char>(value);
  } else if (value <= 0xFF) {
    tagged(0xCC, value, 1);
  } else if (value <= 0xFFFF) {
    tagged(0xCD, value, 2);
  } else if (value <= 0xFFFFFFFF) {
    tagged(0xCE, value, 4);
  } else {
    tagged(0xCF, value, 8);
  }
}

void MsgpackWriter::integer(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  if (value >= 0) {
    unsigned_integer(bits);
  } else if (value >= -32) {
    out_ += static_cast<char>(value);
  } else if (value >= INT8_MIN) {
    tagged(0xD0, bits, 1);
  } else if (value >= INT16_MIN) {
    tagged(0xD1, bits, 2);
  } else if (value >= INT32_MIN) {
    tagged(0xD2, bits, 4);
  } else {
    tagged(0xD3, bits, 8);
  }
}

void MsgpackWriter::real(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  tagged(0xCB, bits, 8);
}

void MsgpackWriter::boolean(bool value) { out_ += static_cast<char>(value ? 0xC3 : 0xC2); }

}  // namespace proton_xpu
