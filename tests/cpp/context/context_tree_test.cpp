#include "context/context_tree.h"

#include <gtest/gtest.h>

namespace proton_xpu {
namespace {

NameId name(std::string_view text) { return NameTable::instance().intern(text); }

TEST(ContextTree, StartsWithTheRoot) {
  const ContextTree tree;
  EXPECT_EQ(tree.size(), 1u);
  EXPECT_EQ(NameTable::instance().text(tree.name(ContextTree::kRoot)), "ROOT");
}

TEST(ContextTree, GivesOneNodeToOnePath) {
  ContextTree tree;
  const NodeId a = tree.child(ContextTree::kRoot, name("a"));
  const NodeId ab = tree.child(a, name("b"));
  EXPECT_EQ(tree.child(ContextTree::kRoot, name("a")), a);
  EXPECT_EQ(tree.child(a, name("b")), ab);
  EXPECT_EQ(tree.size(), 3u);
}

TEST(ContextTree, TellsPathsApartThatShareNames) {
  ContextTree tree;
  const NodeId a = tree.child(ContextTree::kRoot, name("a"));
  const NodeId b = tree.child(ContextTree::kRoot, name("b"));
  const NodeId ab = tree.child(a, name("b"));
  const NodeId ba = tree.child(b, name("a"));
  EXPECT_NE(ab, b);
  EXPECT_NE(ab, ba);
  EXPECT_EQ(tree.parent(ab), a);
  EXPECT_EQ(tree.name(ab), name("b"));
  EXPECT_EQ(tree.parent(ba), b);
}

TEST(ContextTree, NumbersParentsBeforeTheirChildren) {
  ContextTree tree;
  NodeId node = ContextTree::kRoot;
  for (int depth = 0; depth < 200; ++depth) {
    const NodeId child = tree.child(node, name("deeper"));
    EXPECT_GT(child, node);
    node = child;
  }
}

}  // namespace
}  // namespace proton_xpu
