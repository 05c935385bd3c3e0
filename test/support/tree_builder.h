// Reports for the tests of selection and rendering: a tree in a few words, without a trace.
#ifndef VPROF_TEST_TREE_BUILDER_H
#define VPROF_TEST_TREE_BUILDER_H

#include "vprof/vtree/report.h"

#include <string>
#include <utility>
#include <vector>

namespace vprof::test {

inline vtree::Node make_node(const std::string &function, int height, double variance_ns2,
                             std::vector<vtree::Node> children = {}) {
  vtree::Node node;
  node.function = function;
  node.file = "s.c";
  node.height = height;
  node.variance_ns2 = variance_ns2;
  node.children = std::move(children);
  return node;
}

inline vtree::Node make_body(const std::string &function, double variance_ns2,
                             vtree::NodeKind kind = vtree::NodeKind::body) {
  vtree::Node node = make_node(function, 0, variance_ns2);
  node.kind = kind;
  return node;
}

/// Doubled covariance of two children, by position.
inline void add_covariance(vtree::Node &parent, std::size_t a, std::size_t b, double contribution_ns2) {
  vtree::Covariance pair;
  pair.a_id = static_cast<std::uint32_t>(a); // positions until make_report numbers the nodes
  pair.b_id = static_cast<std::uint32_t>(b);
  pair.contribution_ns2 = contribution_ns2;
  parent.covariances.push_back(pair);
}

inline void number_nodes(vtree::Node &node, std::uint32_t &next, std::vector<vtree::Column> &columns,
                         std::uint32_t parent) {
  node.id = next++;
  columns.push_back(
      {parent, node.kind, node.function, node.file, node.line, node.call_site, node.height, node.expanded});
  for (vtree::Node &child : node.children)
    number_nodes(child, next, columns, node.id);
  for (vtree::Covariance &pair : node.covariances) {
    pair.a = node.children[pair.a_id].shown_name();
    pair.b = node.children[pair.b_id].shown_name();
    pair.a_id = node.children[pair.a_id].id;
    pair.b_id = node.children[pair.b_id].id;
  }
}

/// Shares are set to the parts of the root's variance; there are no batches, so no confidence.
inline void set_shares(vtree::Node &node, double root_variance_ns2) {
  node.share = node.variance_ns2 / root_variance_ns2;
  for (vtree::Node &child : node.children)
    set_shares(child, root_variance_ns2);
}

inline vtree::Report make_report(vtree::Node root) {
  vtree::Report report;
  std::uint32_t next = 0;
  number_nodes(root, next, report.statistics.columns, vtree::no_column);
  if (root.variance_ns2 > 0)
    set_shares(root, root.variance_ns2);
  report.root.function = root.function;
  report.root.height = root.height;
  report.tree = std::move(root);
  return report;
}

} // namespace vprof::test

#endif
