#include "session/kernel_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace proton_xpu {

std::string shown_kernel_name(std::string_view raw) {
  std::string name(raw);
  if (name.rfind("_Z", 0) != 0) {
    return name;
  }
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || demangled == nullptr) {
    return name;
  }
  // SYCL names a kernel by the mangled type name of its kernel class.
  constexpr std::string_view kTypeName = "typeinfo name for ";
  std::string_view shown(demangled.get());
  if (shown.substr(0, kTypeName.size()) == kTypeName) {
    shown.remove_prefix(kTypeName.size());
  }
  return std::string(shown);
}

}  // namespace proton_xpu
