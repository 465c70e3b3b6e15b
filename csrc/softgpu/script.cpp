#include "softgpu/script.h"

namespace softgpu {
namespace {

constexpr std::uint64_t kKernelTicks = 1000;
constexpr std::uint64_t kTransferTicks = 100;

}  // namespace

Script& Script::instance() {
  static Script* const script = new Script;
  return *script;
}

ScriptEntries* Script::entries_of(const std::string& kernel) {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto& entries = by_kernel_[kernel];
  if (!entries) entries = std::make_unique<ScriptEntries>();
  return entries.get();
}

void Script::push(ScriptEntries* entries, const ScriptEntries::Entry& entry) {
  if (entry.repeat == 0) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  entries->entries_.push_back(entry);
}

void Script::clear() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto& [name, entries] : by_kernel_) entries->entries_.clear();
  any_kernel_.entries_.clear();
}

bool Script::take(ScriptEntries& entries, Timing& timing) {
  if (entries.entries_.empty()) return false;
  ScriptEntries::Entry& entry = entries.entries_.front();
  timing.delay = entry.delay;
  timing.duration = entry.duration;
  if (entry.repeat != ~std::uint64_t{0} && --entry.repeat == 0) entries.entries_.pop_front();
  return true;
}

void Script::assign(CommandKind kind, ScriptEntries* kernel, Timing& timing) {
  timing.delay = 0;
  switch (kind) {
    case CommandKind::kKernel: {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (kernel != nullptr && take(*kernel, timing)) return;
      if (!take(any_kernel_, timing)) timing.duration = kKernelTicks;
      return;
    }
    case CommandKind::kCopy:
    case CommandKind::kFill:
      timing.duration = kTransferTicks;
      return;
    default:
      timing.duration = 0;
      return;
  }
}

}  // namespace softgpu
