#include "select_internal.h"

#include <algorithm>
#include <unordered_map>

namespace vprof::select {
namespace {

using vtree::Node;
using vtree::NodeKind;

void index_nodes(const Node &node, std::unordered_map<std::uint32_t, const Node *> &nodes) {
  nodes[node.id] = &node;
  for (const Node &child : node.children)
    index_nodes(child, nodes);
}

/// Whether expanding this node's function explains it further.
bool expandable(const Node &node, const std::vector<int> &heights) {
  const bool has_no_callees = node.height == 0 && heights[node.id] == 0;
  return node.kind == NodeKind::function && !node.expanded && !has_no_callees;
}

} // namespace

std::vector<Expansion> refine_plan(const vtree::Report &report, llvm::ArrayRef<vtree::Factor> factors) {
  std::vector<Expansion> plan;
  if (!report.tree)
    return plan;
  const std::vector<int> heights = resolved_heights(report);
  std::unordered_map<std::uint32_t, const Node *> nodes;
  index_nodes(*report.tree, nodes);
  for (const vtree::Factor &factor : factors)
    for (const vtree::FactorSite &site : factor.sites)
      for (const std::uint32_t id : site.ids) {
        const auto found = nodes.find(id);
        if (found == nodes.end() || !expandable(*found->second, heights))
          continue;
        const Node &function = *found->second;
        const Expansion expansion{function.function, function.file, function.line};
        if (std::find(plan.begin(), plan.end(), expansion) == plan.end())
          plan.push_back(expansion);
      }
  return plan;
}

} // namespace vprof::select
