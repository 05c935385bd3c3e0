// The variance tree with a bar per node: its additive share of the root's variance.
#include "report_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vprof::report {
namespace {

using vtree::Node;

constexpr std::size_t bar_width = 10;
constexpr std::size_t calls_width = 10;
constexpr std::size_t numbers_width =
    bar_width + 2 + 16 + 9 + 8 + 10; // as laid out in node_line, without the calls
constexpr std::size_t least_name = 12;
constexpr std::size_t least_width_with_calls = 96;

std::string bar(double share) {
  const double length = std::clamp(share, 0.0, 1.0) * bar_width;
  const std::size_t full = static_cast<std::size_t>(std::lround(length));
  return std::string(full, '#') + std::string(bar_width - full, '.');
}

class TreeText {
public:
  TreeText(const vtree::Report &report, const TextOptions &options)
      : root_variance_ns2_(report.tree->variance_ns2), options_(options), style_(options.colour),
        with_calls_(options.width >= least_width_with_calls),
        name_width_(options.width - numbers_width - (with_calls_ ? calls_width : 0)) {}

  std::string run(const Node &root) {
    text_ = style_.heading("tree") + "\n" +
            style_.faint(pad_right("  function", name_width_ + 2 + bar_width) + pad_left("share", 16) +
                         pad_left("tail", 9) + pad_left("var", 8) + pad_left("mean", 10) +
                         (with_calls_ ? pad_left("calls", calls_width) : "")) +
            "\n";
    add(root, 0);
    return text_;
  }

private:
  double part(double variance_ns2) const {
    return root_variance_ns2_ > 0 ? variance_ns2 / root_variance_ns2_ : 0;
  }

  /// Worth a line of its own: by any of its shares, or because nothing varies and the tree is all there is to
  /// see.
  bool is_notable(const Node &node) const {
    return root_variance_ns2_ <= 0 || part(node.variance_ns2) >= options_.min_share ||
           std::abs(node.share.value_or(0)) >= options_.min_share ||
           std::abs(node.tail_share.value_or(0)) >= options_.min_share;
  }

  void add(const Node &node, unsigned depth) {
    text_ += node_line(node, depth);
    if (node.children.empty())
      return;
    if (options_.max_depth != 0 && depth + 1 >= options_.max_depth) {
      text_ += style_.faint(indent(depth + 1) + "...") + "\n";
      return;
    }
    std::size_t folded = 0;
    double folded_share = 0;
    for (const Node &child : node.children) {
      if (is_notable(child)) {
        add(child, depth + 1);
        continue;
      }
      ++folded;
      folded_share += child.share.value_or(0);
    }
    if (folded != 0)
      text_ += style_.faint(fmt::format("{}{} more, {} together", indent(depth + 1), folded,
                                        percent_text(folded_share))) +
               "\n";
    for (const vtree::Covariance &pair : node.covariances)
      if (std::abs(part(pair.contribution_ns2)) >= options_.min_share)
        text_ += pair_line(pair, depth + 1);
  }

  /// Deep nodes are indented no further, so that room for a name is left.
  std::string indent(unsigned depth) const {
    return std::string(std::min<std::size_t>(2 + 2 * std::size_t{depth}, name_width_ - least_name), ' ');
  }

  std::string node_line(const Node &node, unsigned depth) const {
    std::string name = node.shown_name();
    if (node.kind == vtree::NodeKind::wait)
      name += " (wait)";
    if (node.call_site)
      name += " @" + site_text(node.call_site);
    const std::string lead = indent(depth);
    const std::size_t room = name_width_ - lead.size();
    return lead + pad_right(fit(name, room), room) + "  " + bar(node.share.value_or(0)) +
           pad_left(percent_text(node.share, node.share_ci95), 16) +
           pad_left(percent_text(node.tail_share), 9) + pad_left(percent_text(part(node.variance_ns2)), 8) +
           pad_left(time_text(node.mean_ns), 10) +
           (with_calls_ ? pad_left(fmt::format("{:.3g}", node.calls_per_interval), calls_width) : "") + "\n";
  }

  std::string pair_line(const vtree::Covariance &pair, unsigned depth) const {
    const std::string sign = pair.contribution_ns2 > 0 ? "+" : "";
    const std::string line =
        fmt::format("{}{} 2 cov({}, {})", sign, percent_text(part(pair.contribution_ns2)), pair.a, pair.b);
    const std::string lead = indent(depth);
    return style_.faint(lead + fit(line, options_.width - lead.size())) + "\n";
  }

  double root_variance_ns2_;
  TextOptions options_;
  Style style_;
  bool with_calls_;
  std::size_t name_width_;
  std::string text_;
};

} // namespace

std::string render_tree(const vtree::Report &report, const TextOptions &options) {
  return report.tree ? TreeText(report, options).run(*report.tree) : "";
}

} // namespace vprof::report
