#include "binding/process_manager.h"

#include <pthread.h>

#include <atomic>
#include <mutex>

#include "binding/device_facts.h"
#include "device/device_table.h"
#include "tracer/pti/pti_tracer.h"

namespace proton_xpu {
namespace {

std::atomic<SessionManager*> current_manager{nullptr};

SessionManager* make_manager() {
  SessionEnvironment environment;
  environment.backends = {"xpupti"};
  environment.make_tracer = [](const std::string&) {
    return make_pti_tracer(DeviceTable::process());
  };
  environment.device_facts = [](std::uint32_t device) {
    return device_facts(DeviceTable::process().at(device));
  };
  environment.version = package_version();
  return new SessionManager(std::move(environment));
}

void start_anew_in_child() {
  current_manager.load()->abandon();
  current_manager.store(make_manager());
}

}  // namespace

SessionManager& process_manager() {
  static std::once_flag once;
  std::call_once(once, [] {
    current_manager.store(make_manager());
    pthread_atfork(nullptr, nullptr, start_anew_in_child);
  });
  return *current_manager.load(std::memory_order_acquire);
}

const char* package_version() { return PROTON_XPU_VERSION; }

}  // namespace proton_xpu
