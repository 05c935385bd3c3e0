#include "select_internal.h"

#include <algorithm>

namespace vprof::select {
namespace {

int resolve(const vtree::Node &node, std::vector<int> &heights) {
  int observed = 0;
  for (const vtree::Node &child : node.children) {
    const int below = resolve(child, heights);
    if (!child.is_remainder())
      observed = std::max(observed, below + 1);
  }
  if (node.id >= heights.size())
    heights.resize(node.id + 1, 0);
  heights[node.id] = node.height >= 0 ? node.height : observed;
  return heights[node.id];
}

} // namespace

std::vector<int> resolved_heights(const vtree::Report &report) {
  std::vector<int> heights;
  if (!report.tree)
    return heights;
  resolve(*report.tree, heights);
  if (report.root.height >= 0)
    heights[report.tree->id] = report.root.height;
  return heights;
}

double specificity(int graph_height, int height) {
  const double difference = std::max(0, graph_height - height);
  return difference * difference;
}

} // namespace vprof::select
