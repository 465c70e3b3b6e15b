// Keeps a library that changes the environment of its process from doing so for good.
#pragma once

#include <cstdlib>
#include <string>
#include <unordered_map>

extern "C" char** environ;

namespace proton_xpu {

/// Restores the environment as it was at construction: children of the process must not inherit
/// what PTI sets for itself. Not safe against other threads that change the environment meanwhile.
class EnvironmentGuard {
 public:
  EnvironmentGuard() : before_(read()) {}
  EnvironmentGuard(const EnvironmentGuard&) = delete;
  EnvironmentGuard& operator=(const EnvironmentGuard&) = delete;

  ~EnvironmentGuard() {
    for (const auto& [name, value] : read()) {
      const auto old = before_.find(name);
      if (old == before_.end()) {
        unsetenv(name.c_str());
      } else if (old->second != value) {
        setenv(name.c_str(), old->second.c_str(), 1);
      }
    }
    for (const auto& [name, value] : before_) {
      if (std::getenv(name.c_str()) == nullptr) setenv(name.c_str(), value.c_str(), 1);
    }
  }

 private:
  using Variables = std::unordered_map<std::string, std::string>;

  static Variables read() {
    Variables variables;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
      const std::string text = *entry;
      const std::size_t equals = text.find('=', 1);
      if (equals != std::string::npos) {
        variables.emplace(text.substr(0, equals), text.substr(equals + 1));
      }
    }
    return variables;
  }

  Variables before_;
};

}  // namespace proton_xpu
