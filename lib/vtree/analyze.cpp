#include "vprof/vtree/analyze.h"

#include "accumulate.h"
#include "columns.h"
#include "derive.h"
#include "interval_values.h"
#include "quality.h"

#include "vprof/vtree/error.h"
#include "vprof/vtree/run_walk.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace vprof::vtree {
namespace {

/// One complete interval as the first pass saw it.
struct IndexEntry {
  std::int64_t start_ns = 0;
  FixedNs latency = 0;
  std::uint64_t position = 0; // in the order of the walk
};

/// What the first pass finds.
struct Index {
  std::vector<IndexEntry> entries; // in the order of the walk
  std::map<std::string, std::uint64_t> cut;
  Damage damage;
};

/// What the second pass needs to know of an interval.
struct Placement {
  std::uint32_t batch = 0;
  bool in_tail = false;
};

std::vector<FileScale> file_scales(const Run &run, const AnalyzeOptions &options) {
  std::vector<FileScale> scales;
  for (const TraceFile &file : run.files)
    scales.push_back(file_scale(file, options.subtract_probe_cost));
  return scales;
}

Index make_index(RunWalk &walk, llvm::ArrayRef<FileScale> scales) {
  Index index;
  IntervalValues values(walk.contexts());
  std::uint64_t unbelievable = 0;
  const auto on_interval = [&](const RunInterval &interval) {
    if (!values.load(interval, scales[interval.file])) {
      ++unbelievable;
      return;
    }
    const TraceFile &file = walk.run().files[interval.file];
    index.entries.push_back({file.monotonic_ns(interval.start_ticks), values.value(0), index.entries.size()});
  };
  const auto on_cut = [&](const RunCut &cut) { ++index.cut[cut_reason_name(cut.record.reason)]; };
  index.damage = walk.walk(on_interval, on_cut);
  index.damage.intervals += unbelievable;
  for (const TraceFile &file : walk.run().files)
    for (const ThreadView &thread : file.threads())
      if (thread.open_ticks != 0)
        ++index.cut["open"];
  return index;
}

std::vector<FixedNs> sorted_latencies(const Index &index) {
  std::vector<FixedNs> latencies;
  latencies.reserve(index.entries.size());
  for (const IndexEntry &entry : index.entries)
    latencies.push_back(entry.latency);
  std::sort(latencies.begin(), latencies.end());
  return latencies;
}

/// Batches are contiguous in time and hold equally many intervals, give or take one.
std::vector<Placement> place_intervals(const Index &index, std::size_t batches, FixedNs tail_threshold) {
  std::vector<IndexEntry> by_time = index.entries;
  std::sort(by_time.begin(), by_time.end(), [](const IndexEntry &a, const IndexEntry &b) {
    return std::tie(a.start_ns, a.position) < std::tie(b.start_ns, b.position);
  });
  std::vector<Placement> placements(by_time.size());
  for (std::size_t i = 0; i < by_time.size(); ++i)
    placements[by_time[i].position] = {static_cast<std::uint32_t>(i * batches / by_time.size()),
                                       by_time[i].latency >= tail_threshold};
  return placements;
}

Statistics sum_up(RunWalk &walk, llvm::ArrayRef<FileScale> scales, llvm::ArrayRef<Placement> placements,
                  std::size_t batches) {
  const ColumnPlan plan = plan_columns(walk.run().manifest, walk.contexts());
  Accumulator accumulator(plan, batches);
  IntervalValues values(walk.contexts());
  std::map<std::uint32_t, std::uint64_t> latency_bins;
  std::size_t position = 0;
  const auto on_interval = [&](const RunInterval &interval) {
    if (position == placements.size() || !values.load(interval, scales[interval.file]))
      return;
    const Placement &placement = placements[position++];
    accumulator.add(values, placement.batch, placement.in_tail);
    ++latency_bins[latency_bin(values.value(0))];
  };
  walk.walk(on_interval, [](const RunCut &) {});
  Statistics statistics = accumulator.finish();
  statistics.latency_bins = std::move(latency_bins);
  return statistics;
}

llvm::Error check(const AnalyzeOptions &options) {
  if (!(options.tail_quantile > 0 && options.tail_quantile < 1))
    return bad_input("tail quantile is {}, a number between 0 and 1 expected", options.tail_quantile);
  if (options.batches == 0 || options.batches > max_batches)
    return bad_input("number of batches is {}, 1 to {} expected", options.batches, max_batches);
  return llvm::Error::success();
}

} // namespace

llvm::Expected<Report> analyze(const Run &run, const AnalyzeOptions &options) {
  if (llvm::Error error = check(options))
    return error;
  RunWalk walk(run, {options.separate_call_sites, ContextOptions().max_depth});
  const std::vector<FileScale> scales = file_scales(run, options);
  const Index index = make_index(walk, scales);

  Report report;
  describe_run(report, run, options);
  report.intervals.complete = index.entries.size();
  describe_losses(report, run, index.cut, index.damage);
  if (!index.entries.empty()) {
    const std::vector<FixedNs> latencies = sorted_latencies(index);
    const FixedNs threshold = latencies[nearest_rank(options.tail_quantile, latencies.size())];
    const std::size_t batches = std::min<std::size_t>(options.batches, latencies.size());
    report.statistics = sum_up(walk, scales, place_intervals(index, batches, threshold), batches);
    report.latency = exact_latency(report.statistics.total(), latencies);
    report.quality.tail_threshold_ns = static_cast<double>(threshold) / units_per_ns;
  }
  report.statistics.tail_quantile = options.tail_quantile;
  describe_symbols(report, walk.contexts());
  derive_tree(report);
  return report;
}

} // namespace vprof::vtree
