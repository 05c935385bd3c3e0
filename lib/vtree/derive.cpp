#include "derive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace vprof::vtree {
namespace {

constexpr std::uint32_t root_column = 0;
constexpr double notable_probe_cost = 0.1; // of the root's time
constexpr double notable_rest = 0.25;

/// The parts of Latency that are sums.
Latency latency_moments(const Sums &total) {
  const ColumnSums &root = total.columns[root_column];
  Latency latency;
  latency.mean_ns = mean_ns(total.intervals, root.sum);
  latency.variance_ns2 = node_variance_ns2(total, root_column);
  latency.stddev_ns = std::sqrt(latency.variance_ns2);
  return latency;
}

class TreeBuilder {
public:
  explicit TreeBuilder(const Statistics &statistics)
      : statistics_(statistics), layout_(statistics.layout()), jackknife_(statistics) {}

  Node build(std::uint32_t column) const {
    Node node = describe(column);
    measure(node);
    for (const std::uint32_t child : layout_.children(column))
      node.children.push_back(build(child));
    std::sort(node.children.begin(), node.children.end(), before);
    node.covariances = covariances(column);
    return node;
  }

private:
  static bool before(const Node &a, const Node &b) {
    if (a.variance_ns2 != b.variance_ns2)
      return a.variance_ns2 > b.variance_ns2;
    return std::tie(a.function, a.kind, a.call_site, a.id) < std::tie(b.function, b.kind, b.call_site, b.id);
  }

  Node describe(std::uint32_t column) const {
    const Column &of = statistics_.columns[column];
    Node node;
    node.id = column;
    node.kind = of.kind;
    node.function = of.function;
    node.file = of.file;
    node.line = of.line;
    node.call_site = of.call_site;
    node.height = of.height;
    node.expanded = of.expanded;
    return node;
  }

  void measure(Node &node) const {
    const Sums &total = jackknife_.total();
    const std::uint32_t id = node.id;
    const ColumnSums &sums = total.columns[id];
    const double intervals = static_cast<double>(total.intervals);
    node.calls_per_interval = static_cast<double>(sums.calls) / intervals;
    node.mean_ns = mean_ns(total.intervals, sums.sum);
    node.probe_cost_ns = mean_ns(total.intervals, sums.probe_cost);
    node.variance_ns2 = node_variance_ns2(total, id);
    node.share = share_of_variance(total, id);
    node.share_ci95 = jackknife_.interval([id](const Sums &part) { return share_of_variance(part, id); });
    node.tail_share = share_of_tail(total, id);
    node.tail_share_ci95 = jackknife_.interval([id](const Sums &part) { return share_of_tail(part, id); });
    std::vector<GroupSum> groups;
    for (const auto &[number, group] : statistics_.work_groups[id])
      groups.push_back(group);
    node.work_groups = groups.size();
    // A rounding error must not make the part larger than the whole.
    node.work_variance_ns2 = std::min(between_group_variance_ns2(groups), node.variance_ns2);
  }

  std::vector<Covariance> covariances(std::uint32_t column) const {
    std::vector<Covariance> pairs;
    const llvm::ArrayRef<std::uint32_t> children = layout_.children(column);
    for (std::size_t j = 0; j < children.size(); ++j)
      for (std::size_t i = 0; i < j; ++i) {
        const double contribution =
            2 * sibling_covariance_ns2(jackknife_.total(), layout_, children[i], children[j]);
        if (contribution != 0)
          pairs.push_back({children[i], children[j], name(children[i]), name(children[j]), contribution});
      }
    std::sort(pairs.begin(), pairs.end(), [](const Covariance &a, const Covariance &b) {
      const double magnitude_a = std::abs(a.contribution_ns2);
      const double magnitude_b = std::abs(b.contribution_ns2);
      return magnitude_a != magnitude_b ? magnitude_a > magnitude_b
                                        : std::tie(a.a_id, a.b_id) < std::tie(b.a_id, b.b_id);
    });
    return pairs;
  }

  std::string name(std::uint32_t column) const {
    return shown_name(statistics_.columns[column].function, statistics_.columns[column].kind);
  }

  const Statistics &statistics_;
  Layout layout_;
  Jackknife jackknife_;
};

double rest_share(const Statistics &statistics, const Sums &total) {
  Int128 rest = 0;
  for (std::size_t column = 0; column < statistics.columns.size(); ++column)
    if (statistics.columns[column].kind == NodeKind::rest)
      rest += total.columns[column].sum;
  const double root_ns = mean_ns(total.intervals, total.columns[root_column].sum);
  return root_ns > 0 ? mean_ns(total.intervals, rest) / root_ns : 0.0;
}

void derive_measured(Report &report) {
  const Sums total = report.statistics.total();
  report.quality.tail_intervals = total.tail_intervals;
  report.quality.probe_cost_ns = mean_ns(total.intervals, total.columns[root_column].probe_cost);
  report.quality.rest_share = rest_share(report.statistics, total);
  report.tree = TreeBuilder(report.statistics).build(root_column);
}

} // namespace

std::uint64_t nearest_rank(double q, std::uint64_t n) {
  // 0.95 * 20 is a little more than 19 in binary: do not round that up to 20.
  const double rank = std::ceil(q * static_cast<double>(n) * (1 - 1e-12));
  return std::min(n, std::max<std::uint64_t>(1, static_cast<std::uint64_t>(rank))) - 1;
}

Latency exact_latency(const Sums &total, llvm::ArrayRef<FixedNs> sorted) {
  Latency latency = latency_moments(total);
  const auto at = [&](double q) {
    return static_cast<double>(sorted[nearest_rank(q, sorted.size())]) / units_per_ns;
  };
  latency.p50_ns = at(0.5);
  latency.p95_ns = at(0.95);
  latency.p99_ns = at(0.99);
  latency.p999_ns = at(0.999);
  latency.max_ns = at(1);
  return latency;
}

Latency binned_latency(const Statistics &statistics, const Sums &total, double max_ns) {
  Latency latency = latency_moments(total);
  const auto at = [&](double q) {
    std::uint64_t below_or_in = 0;
    for (const auto &[bin, intervals] : statistics.latency_bins) {
      below_or_in += intervals;
      if (below_or_in > nearest_rank(q, total.intervals))
        return std::min(max_ns, latency_bin_ns(bin));
    }
    return max_ns;
  };
  latency.p50_ns = at(0.5);
  latency.p95_ns = at(0.95);
  latency.p99_ns = at(0.99);
  latency.p999_ns = at(0.999);
  latency.max_ns = max_ns;
  return latency;
}

std::vector<std::string> statistics_warnings(const Report &report) {
  if (!report.tree)
    return {"no complete interval was recorded"};
  const Node &tree = *report.tree;
  std::vector<std::string> warnings;
  const std::uint64_t n = report.intervals.complete;
  if (tree.variance_ns2 <= 0)
    warnings.push_back(n == 1 ? "one complete interval: nothing varies, so there are no shares and no factors"
                              : "the root's latency does not vary: there are no shares and no factors");
  else if (!tree.share_ci95)
    warnings.push_back(
        fmt::format("{} complete intervals are too few for confidence intervals ({} batches needed): "
                    "every factor is undecided",
                    n, min_batches));
  const double cost_part = tree.mean_ns > 0 ? report.quality.probe_cost_ns / tree.mean_ns : 0;
  if (cost_part > notable_probe_cost)
    warnings.push_back(
        fmt::format("probes cost {:.0f} % of the root's own time: measure fewer functions", 100 * cost_part));
  if (report.quality.rest_share > notable_rest)
    warnings.push_back(
        fmt::format("{:.0f} % of the time is in functions whose children are not all measured (rest)",
                    100 * report.quality.rest_share));
  return warnings;
}

void derive_tree(Report &report) {
  report.quality.batches = report.statistics.batches.size();
  if (report.intervals.complete != 0)
    derive_measured(report);
  for (std::string &warning : statistics_warnings(report))
    report.quality.warnings.push_back(std::move(warning));
}

} // namespace vprof::vtree
