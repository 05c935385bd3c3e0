#include "vprof/vtree/report.h"

namespace vprof::vtree {
namespace {

const Node *find_below(const Node &node, std::uint32_t id) {
  if (node.id == id)
    return &node;
  for (const Node &child : node.children)
    if (const Node *found = find_below(child, id))
      return found;
  return nullptr;
}

} // namespace

std::string shown_name(llvm::StringRef function, NodeKind kind) {
  if (kind == NodeKind::body)
    return (function + " (body)").str();
  if (kind == NodeKind::rest)
    return (function + " (rest)").str();
  return function.str();
}

std::string Node::shown_name() const {
  return vtree::shown_name(function, kind);
}

const Node *find_node(const Report &report, std::uint32_t id) {
  return report.tree ? find_below(*report.tree, id) : nullptr;
}

} // namespace vprof::vtree
