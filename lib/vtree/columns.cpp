#include "columns.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace vprof::vtree {
namespace {

constexpr std::uint32_t root_context = 0;

NodeKind kind_of(const Probe &probe) {
  switch (probe.kind) {
  case ProbeKind::wait:
    return NodeKind::wait;
  case ProbeKind::call:
    return NodeKind::call;
  default:
    return NodeKind::function;
  }
}

class Planner {
public:
  Planner(const Manifest &manifest, const ContextTree &contexts)
      : manifest_(manifest), nodes_(contexts.nodes()), children_(nodes_.size()) {
    for (std::uint32_t context = 1; context < nodes_.size(); ++context)
      children_[nodes_[context].parent].push_back(context);
    for (std::vector<std::uint32_t> &siblings : children_)
      std::sort(siblings.begin(), siblings.end(),
                [&](std::uint32_t a, std::uint32_t b) { return order(a) < order(b); });
    plan_.of_context.resize(nodes_.size(), no_column);
    plan_.remainder_of_context.resize(nodes_.size(), no_column);
  }

  ColumnPlan run() {
    place(root_context, no_column);
    return std::move(plan_);
  }

private:
  std::tuple<const std::string &, std::optional<SourceLocation>, std::uint32_t>
  order(std::uint32_t context) const {
    const ContextNode &node = nodes_[context];
    return {node.probe->function, node.call_site, node.probe->id};
  }

  void place(std::uint32_t context, std::uint32_t parent) {
    const std::uint32_t column = static_cast<std::uint32_t>(plan_.columns.size());
    plan_.of_context[context] = column;
    plan_.columns.push_back(column_of(context, parent));
    for (const std::uint32_t child : children_[context])
      place(child, column);
    const ContextNode &node = nodes_[context];
    if (!node.probe->expanded && children_[context].empty())
      return;
    plan_.remainder_of_context[context] = static_cast<std::uint32_t>(plan_.columns.size());
    plan_.columns.push_back(remainder_of(context, column));
  }

  Column column_of(std::uint32_t context, std::uint32_t parent) const {
    const ContextNode &node = nodes_[context];
    Column column;
    column.parent = parent;
    column.kind = kind_of(*node.probe);
    column.function = context == root_context ? manifest_.root.shown_name() : node.probe->function;
    column.file = node.probe->file;
    column.line = node.probe->line;
    column.call_site = node.call_site;
    column.height = node.probe->is_external() ? 0 : node.probe->height;
    column.expanded = node.probe->expanded;
    return column;
  }

  Column remainder_of(std::uint32_t context, std::uint32_t parent) const {
    Column column = column_of(context, parent);
    const bool whole = nodes_[context].probe->complete && !nodes_[context].has_folded;
    column.kind = whole ? NodeKind::body : NodeKind::rest;
    column.call_site.reset();
    column.height = 0;
    column.expanded = false;
    return column;
  }

  const Manifest &manifest_;
  const std::vector<ContextNode> &nodes_;
  std::vector<std::vector<std::uint32_t>> children_;
  ColumnPlan plan_;
};

} // namespace

ColumnPlan plan_columns(const Manifest &manifest, const ContextTree &contexts) {
  return Planner(manifest, contexts).run();
}

} // namespace vprof::vtree
