#include "quality.h"

#include <fmt/format.h>

#include <array>
#include <set>

namespace vprof::vtree {
namespace {

constexpr std::array<const char *, VPROF_DROP_REASONS> drop_names{"space", "memory", "reentry", "depth",
                                                                  "fork",  "size",   "thread",  "reserved"};
static_assert(VPROF_DROP_SPACE == 0 && VPROF_DROP_MEMORY == 1 && VPROF_DROP_REENTRY == 2 &&
              VPROF_DROP_DEPTH == 3 && VPROF_DROP_FORK == 4 && VPROF_DROP_SIZE == 5 &&
              VPROF_DROP_THREAD == 6);

std::string clock_name(std::uint32_t source) {
  switch (source) {
  case VPROF_CLOCK_TSC:
    return "tsc";
  case VPROF_CLOCK_CNTVCT:
    return "cntvct";
  default:
    return "monotonic";
  }
}

/// Mean over the files of a cost in 1/256 ticks, in ns.
double mean_cost_ns(const Run &run, vprof_u64 vprof_file_header::*cost_ticks_q8) {
  double sum_ns = 0;
  for (const TraceFile &file : run.files)
    sum_ns += static_cast<double>(file.header().*cost_ticks_q8) / 256 * file.ns_per_tick();
  return run.files.empty() ? 0 : sum_ns / static_cast<double>(run.files.size());
}

void describe_root(Report &report, const Manifest &manifest) {
  report.plan = manifest.plan;
  report.root.function = manifest.root.function;
  report.root.file = manifest.root.file;
  report.root.line = manifest.root.line;
  report.root.label = manifest.root.label;
  report.root.mode = manifest.root.mode;
  const Probe *probe = manifest.find(manifest.root.id);
  report.root.height =
      manifest.call_graph_height >= 0 || probe == nullptr ? manifest.call_graph_height : probe->height;
}

} // namespace

std::string cut_reason_name(std::uint64_t reason) {
  switch (reason) {
  case VPROF_CUT_LONGJMP:
    return "longjmp";
  case VPROF_CUT_THREAD_EXIT:
    return "thread_exit";
  case VPROF_CUT_UNIT:
    return "unit";
  case VPROF_CUT_PROCESS_EXIT:
    return "process_exit";
  default:
    return fmt::format("reason_{}", reason);
  }
}

void describe_run(Report &report, const Run &run, const AnalyzeOptions &options) {
  describe_root(report, run.manifest);
  Quality &quality = report.quality;
  quality.files = run.files.size();
  quality.unmeasured_calls = run.manifest.unmeasured.size();
  quality.warnings = run.warnings;
  quality.probe_cost_subtracted = options.subtract_probe_cost;
  quality.probe_pair_ns = mean_cost_ns(run, &vprof_file_header::probe_cost_ticks_q8);
  quality.probe_inside_ns = mean_cost_ns(run, &vprof_file_header::probe_inside_ticks_q8);
  std::set<std::string> clocks;
  std::set<std::uint32_t> processes;
  for (const TraceFile &file : run.files) {
    quality.threads += file.threads().size();
    quality.trace_bytes += file.size_bytes();
    clocks.insert(clock_name(file.header().clock_source));
    processes.insert(file.header().pid);
  }
  quality.processes = processes.size();
  quality.clock_sources.assign(clocks.begin(), clocks.end());
}

void describe_losses(Report &report, const Run &run, const std::map<std::string, std::uint64_t> &cut,
                     const Damage &record_damage) {
  Damage damage;
  for (const TraceFile &file : run.files) {
    damage += file.damage();
    for (std::size_t reason = 0; reason < drop_names.size(); ++reason)
      if (file.header().dropped[reason] != 0)
        report.intervals.dropped[drop_names[reason]] += file.header().dropped[reason];
  }
  damage += record_damage;
  if (damage.intervals != 0)
    report.intervals.dropped["damaged"] += damage.intervals;
  report.quality.cut = cut;
  for (const auto &[reason, intervals] : cut)
    report.intervals.incomplete += intervals;
  report.quality.damaged_chunks = damage.chunks;
  report.quality.damaged_intervals = damage.intervals;
  report.quality.damaged_bytes = damage.bytes;
  for (const std::string &message : damage.messages)
    report.quality.warnings.push_back(message);
}

void describe_symbols(Report &report, const ContextTree &contexts) {
  Quality &quality = report.quality;
  for (const ContextNode &node : contexts.nodes())
    if (node.call_site && node.call_site->line == 0)
      ++quality.unsymbolized_sites;
  const std::set<std::string> &without_lines = contexts.symbolizer().modules_without_lines();
  quality.modules_unsymbolized.assign(without_lines.begin(), without_lines.end());
  for (const std::string &module : contexts.symbolizer().modules_changed())
    quality.warnings.push_back(
        fmt::format("{} is younger than the recording: lines of call sites may be wrong", module));
  bool folded = false;
  for (const ContextNode &node : contexts.nodes())
    folded = folded || node.has_folded;
  if (folded)
    quality.warnings.push_back(fmt::format(
        "contexts deeper than {} calls are counted in the context above them", ContextOptions().max_depth));
}

} // namespace vprof::vtree
