#include "call_graph.h"

#include <gtest/gtest.h>

namespace vprof::instrument {
namespace {

CallGraph graph_of(const std::vector<std::pair<std::string, std::string>> &edges) {
  CallGraph graph;
  for (const auto &[caller, callee] : edges)
    graph.add_edge(graph.vertex(caller), graph.vertex(callee));
  return graph;
}

int height(const CallGraph &graph, const std::string &name) {
  return graph.heights()[graph.find(name)];
}

TEST(CallGraph, HeightIsTheLongestPathBelow) {
  const CallGraph graph = graph_of({{"root", "a"}, {"root", "leaf"}, {"a", "b"}, {"b", "leaf"}});
  EXPECT_EQ(height(graph, "leaf"), 0);
  EXPECT_EQ(height(graph, "b"), 1);
  EXPECT_EQ(height(graph, "a"), 2);
  EXPECT_EQ(height(graph, "root"), 3);
}

TEST(CallGraph, RecursionIsOneVertex) {
  const CallGraph graph = graph_of({{"main", "even"}, {"even", "odd"}, {"odd", "even"}, {"odd", "leaf"}});
  EXPECT_EQ(height(graph, "even"), 1);
  EXPECT_EQ(height(graph, "odd"), 1);
  EXPECT_EQ(height(graph, "main"), 2);
}

TEST(CallGraph, SelfRecursionAloneHasHeightZero) {
  EXPECT_EQ(height(graph_of({{"f", "f"}}), "f"), 0);
}

TEST(CallGraph, TwoCyclesThatMeetAreOne) {
  const CallGraph graph =
      graph_of({{"a", "b"}, {"b", "a"}, {"b", "c"}, {"c", "b"}, {"c", "leaf"}, {"top", "a"}});
  EXPECT_EQ(height(graph, "a"), 1);
  EXPECT_EQ(height(graph, "c"), 1);
  EXPECT_EQ(height(graph, "top"), 2);
}

TEST(CallGraph, DeepChainsNeedNoStack) {
  CallGraph graph;
  const int depth = 300000;
  for (int i = 0; i < depth; ++i)
    graph.add_edge(graph.vertex("f" + std::to_string(i)), graph.vertex("f" + std::to_string(i + 1)));
  EXPECT_EQ(height(graph, "f0"), depth);
}

TEST(CallGraph, UnknownNamesAreNotFound) {
  EXPECT_EQ(CallGraph().find("f"), CallGraph::npos);
}

} // namespace
} // namespace vprof::instrument
