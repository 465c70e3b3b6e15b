#include "context/scope_stack.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace proton_xpu {
namespace {

std::string error_of_pop(ScopeStack* stack, ScopeId scope, NameId name) {
  try {
    stack->pop(scope, name);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(ScopeStack, HasTheRootOnTopWhenEmpty) {
  const ScopeStack stack;
  EXPECT_EQ(stack.top(), ContextTree::kRoot);
  EXPECT_EQ(stack.depth(), 0u);
}

TEST(ScopeStack, GivesBackInReverse) {
  ScopeStack stack;
  stack.push(1, 10, 100);
  stack.push(2, 20, 200);
  EXPECT_EQ(stack.top(), 200u);
  EXPECT_EQ(stack.depth(), 2u);
  stack.pop(2, 20);
  EXPECT_EQ(stack.top(), 100u);
}

TEST(ScopeStack, RefusesToPopWhenEmpty) {
  ScopeStack stack;
  EXPECT_EQ(error_of_pop(&stack, 1, 10), "[PROTON] Context stack is empty");
}

TEST(ScopeStack, RefusesAnotherScopeAndStaysAsItIs) {
  ScopeStack stack;
  stack.push(1, 10, 100);
  EXPECT_EQ(error_of_pop(&stack, 2, 10), "[PROTON] Context stack is not balanced");
  EXPECT_EQ(error_of_pop(&stack, 1, 11), "[PROTON] Context stack is not balanced");
  EXPECT_EQ(stack.depth(), 1u);
}

}  // namespace
}  // namespace proton_xpu
