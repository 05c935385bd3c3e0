// The tree as a list of factors. A function can stand in it many times; a pair likewise.
#include "select_internal.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace vprof::select {
namespace {

using vtree::Factor;
using vtree::FactorKind;
using vtree::Node;
using vtree::NodeKind;

/// What makes two nodes the same function. Two static functions of one name differ by place; the place of a
/// call without body is the call's, not the function's, and does not count.
using FunctionKey = std::tuple<std::string, NodeKind, std::string, unsigned>;

FunctionKey key_of(const Node &node) {
  const bool external = node.kind == NodeKind::wait || node.kind == NodeKind::call;
  return external ? FunctionKey{node.function, node.kind, "", 0}
                  : FunctionKey{node.function, node.kind, node.file, node.line};
}

class Collector {
public:
  explicit Collector(const std::vector<int> &heights) : heights_(heights) {}

  std::vector<Factor> run(const Node &root) {
    path_.push_back(root.function);
    ++active_[key_of(root)];
    visit_children(root);
    std::vector<Factor> factors;
    for (auto &[key, factor] : functions_)
      factors.push_back(std::move(factor));
    for (auto &[key, factor] : pairs_)
      factors.push_back(std::move(factor));
    for (Factor &factor : factors)
      finish(factor);
    return factors;
  }

private:
  void visit_children(const Node &node) {
    std::unordered_map<std::uint32_t, const Node *> by_id;
    // The rest of a function that nobody expanded is that function, not yet looked into: it is a factor
    // already.
    const auto counts = [&node](const Node &child) { return child.kind != NodeKind::rest || node.expanded; };
    for (const Node &child : node.children) {
      by_id[child.id] = &child;
      if (counts(child))
        add_function(child);
    }
    for (const vtree::Covariance &pair : node.covariances)
      if (const Node &a = *by_id.at(pair.a_id), &b = *by_id.at(pair.b_id); counts(a) && counts(b))
        add_pair(a, b, pair.contribution_ns2);
    for (const Node &child : node.children) {
      int &active = active_[key_of(child)];
      ++active;
      path_.push_back(child.function);
      visit_children(child);
      path_.pop_back();
      --active;
    }
  }

  /// Is this time part of an outer activation's? A body or rest is time that no other node has.
  bool is_inner(const Node &node) const {
    const auto found = active_.find(key_of(node));
    return !node.is_remainder() && found != active_.end() && found->second > 0;
  }

  void add_function(const Node &node) {
    if (is_inner(node))
      return;
    Factor &factor = functions_[key_of(node)];
    factor.kind = FactorKind::variance;
    factor.functions = {node.shown_name()};
    factor.node_kinds = {node.kind};
    factor.height = std::max(factor.height, heights_[node.id]);
    factor.variance_ns2 += node.variance_ns2;
    factor.share += node.share.value_or(0);
    factor.tail_share += node.tail_share.value_or(0);
    factor.mean_ns += node.mean_ns;
    factor.calls_per_interval += node.calls_per_interval;
    factor.work_share += node.work_variance_ns2; // divided by the variance in finish()
    std::vector<std::string> path = path_;
    path.push_back(node.shown_name());
    factor.sites.push_back({{node.id}, std::move(path), node.call_site, node.variance_ns2});
  }

  void add_pair(const Node &first, const Node &second, double contribution_ns2) {
    if (is_inner(first) || is_inner(second))
      return;
    const bool in_order = key_of(first) <= key_of(second);
    const Node &a = in_order ? first : second;
    const Node &b = in_order ? second : first;
    Factor &factor = pairs_[{key_of(a), key_of(b)}];
    factor.kind = FactorKind::covariance;
    factor.functions = {a.shown_name(), b.shown_name()};
    factor.node_kinds = {a.kind, b.kind};
    factor.height = std::max({factor.height, heights_[a.id], heights_[b.id]});
    factor.variance_ns2 += contribution_ns2;
    factor.sites.push_back({{a.id, b.id}, path_, std::nullopt, contribution_ns2});
  }

  static void finish(Factor &factor) {
    factor.work_share = factor.variance_ns2 > 0 ? factor.work_share / factor.variance_ns2 : 0;
    std::sort(factor.sites.begin(), factor.sites.end(),
              [](const vtree::FactorSite &a, const vtree::FactorSite &b) {
                return a.variance_ns2 != b.variance_ns2 ? a.variance_ns2 > b.variance_ns2 : a.ids < b.ids;
              });
  }

  const std::vector<int> &heights_;
  std::map<FunctionKey, Factor> functions_;
  std::map<std::pair<FunctionKey, FunctionKey>, Factor> pairs_;
  std::map<FunctionKey, int> active_; // activations above the node in hand
  std::vector<std::string> path_;
};

} // namespace

std::vector<Factor> collect_candidates(const vtree::Report &report, const std::vector<int> &heights) {
  return report.tree ? Collector(heights).run(*report.tree) : std::vector<Factor>{};
}

} // namespace vprof::select
