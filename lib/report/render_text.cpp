#include "vprof/report/render_text.h"

#include "report_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace vprof::report {
namespace {

constexpr unsigned least_width = 80;
constexpr std::size_t label_width = 11; // of "intervals  " and "latency    "

/// Wraps a line that begins with a label of label_width columns, blanks included, which are kept.
std::string wrap_after_label(const std::string &line, std::size_t width) {
  return line.substr(0, label_width) + wrap(line.substr(label_width), width - label_width, label_width);
}

std::string reasons_text(const std::map<std::string, std::uint64_t> &counts) {
  std::string text;
  for (const auto &[reason, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", reason, count_text(count));
  return text.empty() ? text : " (" + text + ")";
}

std::uint64_t sum(const std::map<std::string, std::uint64_t> &counts) {
  std::uint64_t total = 0;
  for (const auto &[reason, count] : counts)
    total += count;
  return total;
}

std::string latency_lines(const vtree::Latency &latency, std::size_t width) {
  const std::string cv =
      latency.mean_ns > 0 ? fmt::format("{:.1f} %", 100 * latency.stddev_ns / latency.mean_ns) : "-";
  const std::string moments = fmt::format("latency    mean {}, standard deviation {} ({} of the mean)",
                                          time_text(latency.mean_ns), time_text(latency.stddev_ns), cv);
  const std::string quantiles =
      fmt::format("           p50 {}, p95 {}, p99 {}, p99.9 {}, max {}", time_text(latency.p50_ns),
                  time_text(latency.p95_ns), time_text(latency.p99_ns), time_text(latency.p999_ns),
                  time_text(latency.max_ns));
  return wrap_after_label(moments, width) + wrap_after_label(quantiles, width);
}

std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "-" : text;
}

/// The ledger line by line; those that say nothing are left out.
std::vector<std::string> quality_lines(const vtree::Quality &quality) {
  std::vector<std::string> lines;
  lines.push_back(
      fmt::format("  {}, {}, {} of trace, clock {}", count_text(quality.processes, "process", "processes"),
                  count_text(quality.threads, "thread", "threads"),
                  count_text(quality.trace_bytes, "byte", "bytes"), joined(quality.clock_sources)));
  lines.push_back(fmt::format("  probes: {} per interval {}, {} each, {} of it inside the measured function",
                              time_text(quality.probe_cost_ns),
                              quality.probe_cost_subtracted ? "subtracted" : "left in the times",
                              time_text(quality.probe_pair_ns), time_text(quality.probe_inside_ns)));
  lines.push_back(fmt::format("  {:.1f} % of the time is rest; {} without a probe; {}",
                              100 * quality.rest_share, count_text(quality.unmeasured_calls, "call", "calls"),
                              count_text(quality.batches, "batch", "batches")));
  if (quality.tail_intervals != 0)
    lines.push_back("  tail: " + count_text(quality.tail_intervals, "interval", "intervals"));
  if (quality.tail_intervals != 0 && quality.tail_threshold_ns)
    lines.back() += fmt::format(" of {} or more", time_text(*quality.tail_threshold_ns));
  if (quality.unsymbolized_sites != 0)
    lines.push_back(fmt::format("  {} without a line: {}",
                                count_text(quality.unsymbolized_sites, "call site", "call sites"),
                                joined(quality.modules_unsymbolized)));
  if (quality.damaged_chunks + quality.damaged_intervals != 0)
    lines.push_back(fmt::format("  damaged: {}, {}, {}",
                                count_text(quality.damaged_chunks, "chunk", "chunks"),
                                count_text(quality.damaged_intervals, "interval", "intervals"),
                                count_text(quality.damaged_bytes, "byte", "bytes")));
  return lines;
}

} // namespace

std::string render_summary(const vtree::Report &report, const TextOptions &options) {
  const Style style(options.colour);
  const vtree::ReportRoot &root = report.root;
  std::string mode;
  for (const std::string &word : root.mode)
    mode += (mode.empty() ? ", " : " ") + word;
  const std::string name =
      root.function + (root.label.empty() || root.label == root.function ? "" : " " + root.label);
  std::string text = style.heading(name) + "  " + place_text(root.file, root.line) + mode + "\n";
  const std::string intervals = fmt::format(
      "intervals  {} complete, {} incomplete{}, {} dropped{}", count_text(report.intervals.complete),
      count_text(report.intervals.incomplete), reasons_text(report.quality.cut),
      count_text(sum(report.intervals.dropped)), reasons_text(report.intervals.dropped));
  text += wrap_after_label(intervals, options.width);
  if (report.latency)
    text += latency_lines(*report.latency, options.width);
  return text;
}

std::string render_quality(const vtree::Report &report, const TextOptions &options) {
  const Style style(options.colour);
  std::string text = style.heading("quality") + "\n";
  for (const std::string &line : quality_lines(report.quality))
    text += wrap(line, options.width, 4);
  for (const std::string &warning : report.quality.warnings)
    text += style.warning(wrap("warning: " + warning, options.width, 4));
  return text;
}

std::string render_text(const vtree::Report &report, const TextOptions &given) {
  TextOptions options = given;
  options.width = std::max(options.width, least_width);
  std::string text = render_summary(report, options);
  if (report.tree) {
    text += "\n" + render_factors(report, options);
    text += "\n" + render_tree(report, options);
  }
  return text + "\n" + render_quality(report, options);
}

} // namespace vprof::report
