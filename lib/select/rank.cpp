// The papers' Algorithm 1, and the same with additive shares in the place of variances.
#include "vprof/select/rank.h"

#include "select_internal.h"

#include "vprof/vtree/jackknife.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace vprof::select {
namespace {

using vtree::Factor;
using vtree::FactorKind;
using vtree::Sums;

constexpr std::uint32_t root_column = 0;

/// The factor's part of the root's variance (papers), or its share; what the threshold and the score are
/// about.
double contribution(const Factor &factor, ScoreMode mode) {
  switch (mode) {
  case ScoreMode::share:
    return factor.share;
  case ScoreMode::tail:
    return factor.tail_share;
  case ScoreMode::paper:
    break;
  }
  return factor.variance_share;
}

/// The same from sums, so that it can be had with a batch left out.
class Evaluator {
public:
  explicit Evaluator(const vtree::Report &report)
      : layout_(report.statistics.layout()), jackknife_(report.statistics) {}

  std::optional<double> share(const Factor &factor, const Sums &sums) const {
    return factor.kind == FactorKind::covariance ? variance_share(factor, sums)
                                                 : sum(factor, sums, vtree::share_of_variance);
  }

  std::optional<double> contribution(const Factor &factor, ScoreMode mode, const Sums &sums) const {
    switch (mode) {
    case ScoreMode::share:
      return share(factor, sums);
    case ScoreMode::tail:
      return sum(factor, sums, vtree::share_of_tail);
    case ScoreMode::paper:
      break;
    }
    return variance_share(factor, sums);
  }

  const vtree::Jackknife &jackknife() const { return jackknife_; }

private:
  std::optional<double> variance_share(const Factor &factor, const Sums &sums) const {
    const double root_ns2 = vtree::node_variance_ns2(sums, root_column);
    if (root_ns2 <= 0)
      return std::nullopt;
    double total_ns2 = 0;
    for (const vtree::FactorSite &site : factor.sites)
      total_ns2 += factor.kind == FactorKind::covariance
                       ? 2 * vtree::sibling_covariance_ns2(sums, layout_, site.ids[0], site.ids[1])
                       : vtree::node_variance_ns2(sums, site.ids[0]);
    return total_ns2 / root_ns2;
  }

  std::optional<double> sum(const Factor &factor, const Sums &sums,
                            std::optional<double> (*quantity)(const Sums &, std::uint32_t)) const {
    double total = 0;
    for (const vtree::FactorSite &site : factor.sites) {
      const std::optional<double> value = quantity(sums, site.ids[0]);
      if (!value)
        return std::nullopt;
      total += *value;
    }
    return total;
  }

  vtree::Layout layout_;
  vtree::Jackknife jackknife_;
};

void score(Factor &factor, double root_variance_ns2, int graph_height, ScoreMode mode) {
  factor.variance_share = factor.variance_ns2 / root_variance_ns2;
  if (factor.kind == FactorKind::covariance)
    factor.share = factor.variance_share;
  factor.specificity = specificity(graph_height, factor.height);
  factor.score =
      factor.specificity * (mode == ScoreMode::paper ? factor.variance_ns2 : contribution(factor, mode));
}

bool before(const Factor &a, const Factor &b) {
  if (a.score != b.score)
    return a.score > b.score;
  if (a.variance_ns2 != b.variance_ns2)
    return a.variance_ns2 > b.variance_ns2;
  return std::tie(a.functions, a.kind) < std::tie(b.functions, b.kind);
}

bool is_rest_only(const Factor &factor) {
  return std::all_of(factor.node_kinds.begin(), factor.node_kinds.end(),
                     [](vtree::NodeKind kind) { return kind == vtree::NodeKind::rest; });
}

/// A rest says where to look further, not what is slow.
vtree::Verdict verdict_of(const Factor &factor) {
  const bool decided = factor.share_ci95 && !factor.share_ci95->covers(0);
  return decided && !is_rest_only(factor) ? vtree::Verdict::finding : vtree::Verdict::undecided;
}

/// Confidence of `factor`, and of its place before `next` (null for the last).
void judge(Factor &factor, const Factor *next, const Evaluator &evaluator, ScoreMode mode) {
  const vtree::Jackknife &jackknife = evaluator.jackknife();
  factor.share_ci95 = jackknife.interval([&](const Sums &sums) { return evaluator.share(factor, sums); });
  factor.verdict = verdict_of(factor);
  const double own = contribution(factor, mode) * factor.specificity;
  if (next == nullptr || own <= 0)
    return;
  factor.lead_ci95 = jackknife.interval([&](const Sums &sums) -> std::optional<double> {
    const std::optional<double> mine = evaluator.contribution(factor, mode, sums);
    const std::optional<double> others = evaluator.contribution(*next, mode, sums);
    if (!mine || !others)
      return std::nullopt;
    return (*mine * factor.specificity - *others * next->specificity) / own;
  });
}

} // namespace

std::optional<ScoreMode> score_mode_from_name(llvm::StringRef name) {
  for (const ScoreMode mode : {ScoreMode::paper, ScoreMode::share, ScoreMode::tail})
    if (name == score_mode_name(mode))
      return mode;
  return std::nullopt;
}

std::string score_mode_name(ScoreMode mode) {
  switch (mode) {
  case ScoreMode::share:
    return "share";
  case ScoreMode::tail:
    return "tail";
  case ScoreMode::paper:
    break;
  }
  return "paper";
}

std::vector<Factor> rank(const vtree::Report &report, const Options &options) {
  if (!report.tree || report.tree->variance_ns2 <= 0)
    return {};
  const std::vector<int> heights = resolved_heights(report);
  std::vector<Factor> factors = collect_candidates(report, heights);
  for (Factor &factor : factors)
    score(factor, report.tree->variance_ns2, heights[report.tree->id], options.score);
  std::erase_if(factors, [&](const Factor &factor) {
    const bool not_of_mode = factor.kind == FactorKind::covariance && options.score != ScoreMode::paper;
    return not_of_mode || !(contribution(factor, options.score) > options.threshold);
  });
  std::sort(factors.begin(), factors.end(), before);
  const std::size_t kept = std::min<std::size_t>(factors.size(), options.k);
  const Evaluator evaluator(report);
  for (std::size_t i = 0; i < kept; ++i) {
    factors[i].rank = static_cast<unsigned>(i + 1);
    judge(factors[i], i + 1 < factors.size() ? &factors[i + 1] : nullptr, evaluator, options.score);
  }
  factors.resize(kept);
  return factors;
}

void rank_into(vtree::Report &report, const Options &options) {
  report.factors = rank(report, options);
  report.selection = {score_mode_name(options.score), options.k, options.threshold};
}

} // namespace vprof::select
