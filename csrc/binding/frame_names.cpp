#include "binding/frame_names.h"

#include <Python.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "binding/python_frames.h"
#include "context/id_map.h"

namespace proton_xpu {
namespace {

std::string_view bytes_of_string(PyObject* text) {
  return {static_cast<const char*>(PyUnicode_DATA(text)),
          static_cast<std::size_t>(PyUnicode_GET_LENGTH(text)) * PyUnicode_KIND(text)};
}

std::string_view line_table(const PyCodeObject* code) {
  return {PyBytes_AS_STRING(code->co_linetable),
          static_cast<std::size_t>(PyBytes_GET_SIZE(code->co_linetable))};
}

// A hash of bytes in four lanes, so that the processor can work on all at once.
class ContentHash {
 public:
  void add(std::string_view bytes) {
    add(bytes.size());
    constexpr std::size_t kBlock = kLanes * sizeof(std::uint64_t);
    for (; bytes.size() >= kBlock; bytes.remove_prefix(kBlock)) {
      std::uint64_t words[kLanes];
      std::memcpy(words, bytes.data(), kBlock);
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        add(lane, words[lane]);
      }
    }
    std::uint64_t rest[kLanes] = {};
    std::memcpy(rest, bytes.data(), bytes.size());
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      add(lane, rest[lane]);
    }
  }

  void add(std::uint64_t word) { add(0, word); }

  std::uint64_t value() const {
    std::uint64_t hash = 0;
    for (const std::uint64_t lane : lanes_) {
      hash = (hash ^ lane ^ (lane >> 32)) * kMultiplier;
    }
    return hash ^ (hash >> 32);
  }

 private:
  static constexpr std::size_t kLanes = 4;
  static constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15u;

  void add(std::size_t lane, std::uint64_t word) {
    const std::uint64_t mixed = lanes_[lane] ^ word;
    lanes_[lane] = (mixed << 29 | mixed >> 35) * kMultiplier;
  }

  std::uint64_t lanes_[kLanes] = {1, 2, 3, 4};
};

// All that the name depends on, by content: a code object's address may be another's tomorrow.
std::uint64_t content_hash(const ProtonPythonFrame& frame) {
  ContentHash hash;
  hash.add(bytes_of_string(frame.code->co_filename));
  hash.add(bytes_of_string(frame.code->co_name));
  hash.add(line_table(frame.code));
  hash.add(static_cast<std::uint64_t>(frame.code->co_firstlineno) << 32 |
           static_cast<std::uint32_t>(frame.offset));
  return hash.value();
}

void append_utf8(Py_UCS4 c, std::string* out) {
  if (c < 0x80) {
    *out += static_cast<char>(c);
  } else if (c < 0x800) {
    *out += static_cast<char>(0xC0 | c >> 6);
    *out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    *out += static_cast<char>(0xE0 | c >> 12);
    *out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    *out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    *out += static_cast<char>(0xF0 | c >> 18);
    *out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
    *out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    *out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

// PyUnicode_AsUTF8 would need the interpreter lock.
void append_string(PyObject* text, std::string* out) {
  for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(text); ++i) {
    append_utf8(PyUnicode_READ_CHAR(text, i), out);
  }
}

NameId make_name(const ProtonPythonFrame& frame) {
  std::string name;
  append_string(frame.code->co_filename, &name);
  name += ':';
  name += std::to_string(PyCode_Addr2Line(frame.code, frame.offset));
  name += '@';
  append_string(frame.code->co_name, &name);
  return NameTable::instance().intern(name);
}

void add_name(ProtonPythonFrame frame, void* context) {
  thread_local IdMap<NameId> known;
  const std::uint64_t hash = content_hash(frame);
  const NameId* name = known.find(hash);
  if (name == nullptr) {
    name = known.insert(hash, make_name(frame)).first;
  }
  static_cast<std::vector<NameId>*>(context)->push_back(*name);
}

}  // namespace

void python_frame_names(std::vector<NameId>& names) {
  proton_visit_python_frames(add_name, &names);
  std::reverse(names.begin(), names.end());
}

}  // namespace proton_xpu
