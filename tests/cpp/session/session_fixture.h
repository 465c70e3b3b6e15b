// What the tests of the session core share: a manager on a scripted GPU, and ways to look at what
// it wrote.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "session/session_manager.h"
#include "support/scripted_gpu.h"
#include "support/temporary_folder.h"

namespace proton_xpu {

class SessionFixture : public ::testing::Test {
 protected:
  using json = nlohmann::json;

  static NameId name(std::string_view text) { return NameTable::instance().intern(text); }

  SessionEnvironment environment() {
    SessionEnvironment environment;
    environment.backends = {"xpupti"};
    environment.make_tracer = [this](const std::string&) { return gpu_.make_tracer(); };
    environment.device_facts = [](std::uint32_t device) {
      return DeviceFacts{{"arch", std::string("pvc")}, {"num_sms", std::uint64_t{64} + device}};
    };
    environment.version = "0";
    return environment;
  }

  int start(const std::string& file, const std::string& data = "tree", const std::string& mode = "",
            const std::string& context = "shadow") {
    return manager_.start(folder_ / file, context, data, "xpupti", mode);
  }

  ScopeId enter(std::string_view scope) {
    const ScopeId id = manager_.new_scope_id();
    manager_.thread().enter_scope(id, name(scope));
    return id;
  }
  void exit(ScopeId id, std::string_view scope) { manager_.thread().exit_scope(id, name(scope)); }

  // Runs `body` in a scope on the calling thread.
  void in_scope(std::string_view scope, const std::function<void()>& body) {
    const ScopeId id = enter(scope);
    body();
    exit(id, scope);
  }

  // A node and what is below it as text: "name*count(child child)", without the count if it is 0.
  static std::string outline(const json& node) {
    std::string text = node["frame"]["name"];
    const std::uint64_t count = node["metrics"].value("count", std::uint64_t{0});
    if (count != 0) {
      text += "*" + std::to_string(count);
    }
    std::string children;
    for (const json& child : node["children"]) {
      children += (children.empty() ? "" : " ") + outline(child);
    }
    return children.empty() ? text : text + "(" + children + ")";
  }

  json read(const std::string& file) const { return json::parse(folder_.read(file)); }
  std::string tree(const std::string& file) const { return outline(read(file)[0]); }
  json accounting(const std::string& file) const {
    return read(file)[0]["proton_xpu"]["accounting"];
  }

  // What `call` throws as the given type; "" if it throws nothing.
  template <typename Error, typename Call>
  static std::string error_of(Call&& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
  ScriptedGpu gpu_;
  SessionManager manager_{environment()};
};

}  // namespace proton_xpu
