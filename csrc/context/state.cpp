#include "context/state.h"

namespace proton_xpu {

State::State(std::string_view name) {
  NameTable& names = NameTable::instance();
  if (name.substr(0, kMetadataScopePrefix.size()) == kMetadataScopePrefix) {
    frames_ = {names.intern(kMetadataScopeName),
               names.intern(name.substr(kMetadataScopePrefix.size()))};
    size_ = 2;
  } else {
    frames_[0] = names.intern(name);
    size_ = 1;
  }
}

}  // namespace proton_xpu
