// Gives a library that is in the process a second name.
#pragma once

#include <string>

namespace proton_xpu {

/// Makes libraries that need or open `alias` find `target`: the SONAME or the absolute path of a
/// library that is already loaded.
/// The dynamic loader resolves needed libraries by SONAME before it searches for files, so a tiny
/// library with the one name that needs the other does it, without any change to search paths.
/// Returns false if the dynamic loader refuses.
bool add_library_alias(const std::string& alias, const std::string& target) noexcept;

/// SONAME of a library that dlopen() gave, empty if it has none.
std::string soname_of(void* library);

}  // namespace proton_xpu
