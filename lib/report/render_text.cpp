#include "vprof/report/render_text.h"

#include "report_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vprof::report {
namespace {

constexpr unsigned least_width = 60;

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

std::string latency_lines(const vtree::Latency &latency) {
  const std::string cv =
      latency.mean_ns > 0 ? fmt::format("{:.1f} %", 100 * latency.stddev_ns / latency.mean_ns) : "-";
  return fmt::format("latency    mean {}, standard deviation {} ({} of the mean)\n"
                     "           p50 {}, p95 {}, p99 {}, p99.9 {}, max {}\n",
                     time_text(latency.mean_ns), time_text(latency.stddev_ns), cv, time_text(latency.p50_ns),
                     time_text(latency.p95_ns), time_text(latency.p99_ns), time_text(latency.p999_ns),
                     time_text(latency.max_ns));
}

} // namespace

std::string render_summary(const vtree::Report &report, const TextOptions &options) {
  const Style style(options.colour);
  const vtree::ReportRoot &root = report.root;
  std::string mode;
  for (const std::string &word : root.mode)
    mode += (mode.empty() ? ", " : " ") + word;
  std::string text = style.heading(root.function + (root.label.empty() ? "" : " " + root.label)) +
                     fmt::format("  {}{}\n", place_text(root.file, root.line), mode);
  text += fmt::format("intervals  {} complete, {} incomplete{}, {} dropped{}\n",
                      count_text(report.intervals.complete), count_text(report.intervals.incomplete),
                      reasons_text(report.quality.cut), count_text(sum(report.intervals.dropped)),
                      reasons_text(report.intervals.dropped));
  if (report.latency)
    text += latency_lines(*report.latency);
  return text;
}

std::string render_quality(const vtree::Report &report, const TextOptions &options) {
  const vtree::Quality &quality = report.quality;
  const Style style(options.colour);
  std::string clocks;
  for (const std::string &clock : quality.clock_sources)
    clocks += (clocks.empty() ? "" : ", ") + clock;
  std::string text = style.heading("quality") + "\n";
  text += fmt::format("  {} processes, {} threads, {} bytes of trace, clock {}\n",
                      count_text(quality.processes), count_text(quality.threads),
                      count_text(quality.trace_bytes), clocks.empty() ? "-" : clocks);
  text += fmt::format("  probes: {} per interval {}, {} each, {} of it inside the measured function\n",
                      time_text(quality.probe_cost_ns),
                      quality.probe_cost_subtracted ? "subtracted" : "left in the times",
                      time_text(quality.probe_pair_ns), time_text(quality.probe_inside_ns));
  text += fmt::format("  {:.1f} % of the time is rest; {} calls have no probe; {} batches\n",
                      100 * quality.rest_share, count_text(quality.unmeasured_calls), quality.batches);
  if (quality.tail_intervals != 0)
    text += fmt::format("  tail: {} intervals{}\n", count_text(quality.tail_intervals),
                        quality.tail_threshold_ns
                            ? fmt::format(" of {} or more", time_text(*quality.tail_threshold_ns))
                            : std::string());
  if (quality.unsymbolized_sites != 0)
    text += fmt::format("  {} call sites without a line:{}\n", count_text(quality.unsymbolized_sites), [&] {
      std::string modules;
      for (const std::string &module : quality.modules_unsymbolized)
        modules += " " + module;
      return modules;
    }());
  if (quality.damaged_chunks + quality.damaged_intervals != 0)
    text += fmt::format("  damaged: {} chunks, {} intervals, {} bytes\n", count_text(quality.damaged_chunks),
                        count_text(quality.damaged_intervals), count_text(quality.damaged_bytes));
  for (const std::string &warning : quality.warnings)
    text += style.warning("warning: " + warning) + "\n";
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
