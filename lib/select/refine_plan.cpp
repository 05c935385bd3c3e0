#include "select_internal.h"

#include <algorithm>
#include <unordered_map>

namespace vprof::select {
namespace {

using vtree::Node;
using vtree::NodeKind;

struct Place {
  const Node *node = nullptr;
  const Node *parent = nullptr;
};

void index_nodes(const Node &node, const Node *parent, std::unordered_map<std::uint32_t, Place> &places) {
  places[node.id] = {&node, parent};
  for (const Node &child : node.children)
    index_nodes(child, &node, places);
}

/// The function to expand so that this node is explained further, or null. A rest is its function's, which
/// may have been seen below without having been expanded itself.
const Node *expandable(const Place &place, const std::vector<int> &heights) {
  const Node *function = place.node->kind == NodeKind::rest ? place.parent : place.node;
  if (function->kind != NodeKind::function || function->expanded)
    return nullptr;
  const bool has_no_callees = function->height == 0 && heights[function->id] == 0;
  return has_no_callees ? nullptr : function;
}

} // namespace

std::vector<Expansion> refine_plan(const vtree::Report &report, llvm::ArrayRef<vtree::Factor> factors) {
  std::vector<Expansion> plan;
  if (!report.tree)
    return plan;
  const std::vector<int> heights = resolved_heights(report);
  std::unordered_map<std::uint32_t, Place> places;
  index_nodes(*report.tree, nullptr, places);
  for (const vtree::Factor &factor : factors)
    for (const vtree::FactorSite &site : factor.sites)
      for (const std::uint32_t id : site.ids) {
        const auto place = places.find(id);
        const Node *function = place == places.end() ? nullptr : expandable(place->second, heights);
        if (function == nullptr)
          continue;
        const Expansion expansion{function->function, function->file, function->line};
        if (std::find(plan.begin(), plan.end(), expansion) == plan.end())
          plan.push_back(expansion);
      }
  return plan;
}

} // namespace vprof::select
