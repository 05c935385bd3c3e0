// The ranked factors: what a reader looks at first.
#include "report_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vprof::report {
namespace {

using vtree::Factor;
using vtree::FactorKind;

constexpr std::size_t max_sites = 8;
constexpr double notable_work = 0.5;

std::string names_of(const Factor &factor) {
  return factor.kind == FactorKind::covariance ? factor.functions[0] + " x " + factor.functions[1]
                                               : factor.functions[0];
}

std::string calls_text(const Factor &factor) {
  return factor.kind == FactorKind::covariance ? "-" : fmt::format("{:.3g}", factor.calls_per_interval);
}

std::string score_text(const vtree::Report &report, const Factor &factor) {
  const double root_ns2 = report.tree ? report.tree->variance_ns2 : 0;
  // The papers' score in ns^2 has no scale that a person knows; as part of the root's variance it has.
  const double score =
      report.selection.score == "paper" && root_ns2 > 0 ? factor.score / root_ns2 : factor.score;
  return fmt::format("{:.3g}", score);
}

std::string path_text(const std::vector<std::string> &path) {
  std::string text;
  for (const std::string &function : path)
    text += (text.empty() ? "" : " > ") + function;
  return text;
}

std::string site_lines(const Factor &factor, const Style &style, std::size_t width) {
  std::string text;
  const std::size_t shown = std::min(factor.sites.size(), max_sites);
  for (std::size_t i = 0; i < shown; ++i) {
    const vtree::FactorSite &site = factor.sites[i];
    const double part = factor.variance_ns2 > 0 ? site.variance_ns2 / factor.variance_ns2 : 0;
    const std::string at = site.call_site ? " at " + site_text(site.call_site) : "";
    const std::string line = fmt::format("{:>8} in {}{}", percent_text(part), path_text(site.path), at);
    text += style.faint("      " + fit(line, width - 6)) + "\n";
  }
  if (shown < factor.sites.size())
    text += style.faint(fmt::format("      and {} more sites", factor.sites.size() - shown)) + "\n";
  return text;
}

/// What the numbers mean, in words, where there is something to say.
std::string remark_text(const Factor &factor) {
  const vtree::NodeKind kind = factor.node_kinds.front();
  if (factor.kind == FactorKind::covariance)
    return "they are slow together";
  if (kind == vtree::NodeKind::rest)
    return "not all of its children are measured";
  if (factor.work_share > notable_work)
    return fmt::format("{:.0f} % of it goes with the number of calls", 100 * factor.work_share);
  return "";
}

/// Calls and specificity give way first.
bool is_narrow(std::size_t width) {
  return width < 96;
}

std::string header_line(std::size_t width) {
  const std::string optional_calls = is_narrow(width) ? "" : pad_left("calls", 8);
  const std::string optional_specificity = is_narrow(width) ? "" : pad_left("spec", 7);
  return "  #  " + pad_right("kind", 10) + pad_left("variance", 9) + pad_left("share", 17) +
         pad_left("mean", 10) + optional_calls + pad_left("height", 7) + optional_specificity +
         pad_left("score", 9) + "  verdict";
}

std::string numbers_line(const vtree::Report &report, const Factor &factor, std::size_t width) {
  const bool is_pair = factor.kind == FactorKind::covariance;
  const std::string optional_calls = is_narrow(width) ? "" : pad_left(calls_text(factor), 8);
  const std::string optional_specificity =
      is_narrow(width) ? "" : pad_left(fmt::format("{:.0f}", factor.specificity), 7);
  return pad_left(fmt::format("{}", factor.rank), 3) + "  " +
         pad_right(is_pair ? "covariance" : "variance", 10) +
         pad_left(percent_text(factor.variance_share), 9) +
         pad_left(percent_text(factor.share, factor.share_ci95), 17) +
         pad_left(is_pair ? "-" : time_text(factor.mean_ns), 10) + optional_calls +
         pad_left(fmt::format("{}", factor.height), 7) + optional_specificity +
         pad_left(score_text(report, factor), 9) + "  ";
}

std::string factor_lines(const vtree::Report &report, const Factor &factor, const Style &style,
                         std::size_t width) {
  const bool found = factor.verdict == vtree::Verdict::finding;
  const std::string verdict = found ? style.strong("finding") : "undecided";
  const std::string remark = remark_text(factor);
  std::string text = numbers_line(report, factor, width) + verdict + "\n";
  text += "     " + style.heading(fit(names_of(factor), width - 5)) + "\n";
  if (!remark.empty())
    text += "     " + remark + "\n";
  if (factor.lead_ci95 && factor.lead_ci95->covers(0))
    text += style.faint("     its order with the next is not decided") + "\n";
  return text + site_lines(factor, style, width);
}

} // namespace

std::string render_factors(const vtree::Report &report, const TextOptions &options) {
  const Style style(options.colour);
  std::string text =
      style.heading("factors") + fmt::format(" by {} score, top {}, above {:.3g} % of the variance\n",
                                             report.selection.score, report.selection.k,
                                             100 * report.selection.threshold);
  if (report.factors.empty())
    return text + "  none\n";
  text += style.faint(header_line(options.width)) + "\n";
  for (const Factor &factor : report.factors)
    text += factor_lines(report, factor, style, options.width);
  return text;
}

} // namespace vprof::report
