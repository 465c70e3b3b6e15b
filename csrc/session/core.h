// What the launching threads, the tracer's thread and the session manager share.
#pragma once

#include <atomic>

#include "context/scope_stack.h"
#include "session/active_sessions.h"
#include "session/attribution.h"
#include "session/correlation_table.h"

namespace proton_xpu {

struct Core {
  ActiveSessions active;
  AttributionPool attributions;
  CorrelationTable correlations;
  ScopeId new_scope_id() { return next_scope_id.fetch_add(1, std::memory_order_relaxed); }
  std::atomic<ScopeId> next_scope_id{1};

  /// Set in a forked child, whose locks of this core may be held by threads that it does not have.
  std::atomic<bool> is_abandoned{false};
};

}  // namespace proton_xpu
