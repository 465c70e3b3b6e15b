#include "context/scope_stack.h"

#include "context/errors.h"

namespace proton_xpu {

void ScopeStack::pop(ScopeId scope, NameId name) {
  if (frames_.empty()) {
    throw_runtime_error("Context stack is empty");
  }
  if (frames_.back().scope != scope || frames_.back().name != name) {
    throw_runtime_error("Context stack is not balanced");
  }
  frames_.pop_back();
}

}  // namespace proton_xpu
