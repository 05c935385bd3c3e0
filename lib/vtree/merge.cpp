// Reports of several runs -> one. The trees are laid over each other, the sums are added, and everything else
// is derived anew, as after an analysis.
#include "vprof/vtree/analyze.h"

#include "derive.h"

#include "vprof/vtree/error.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace vprof::vtree {
namespace {

/// Columns of all reports, each once.
class Union {
public:
  /// The merged column of each column of `statistics`.
  std::vector<std::uint32_t> add(const Statistics &statistics) {
    std::vector<std::uint32_t> merged;
    for (const Column &column : statistics.columns) {
      const std::uint32_t parent = column.parent == no_column ? no_column : merged[column.parent];
      // A body that is a rest in another report is the same remainder.
      const NodeKind kind = column.is_remainder() ? NodeKind::rest : column.kind;
      const Key key(parent, kind, column.function, column.file, column.line, column.call_site);
      const auto [entry, is_new] = known_.try_emplace(key, static_cast<std::uint32_t>(columns_.size()));
      if (is_new) {
        columns_.push_back(column);
        columns_.back().parent = parent;
      } else if (column.kind == NodeKind::rest) {
        columns_[entry->second].kind = NodeKind::rest;
      }
      merged.push_back(entry->second);
    }
    return merged;
  }

  const std::vector<Column> &columns() const { return columns_; }

private:
  using Key =
      std::tuple<std::uint32_t, NodeKind, std::string, std::string, unsigned, std::optional<SourceLocation>>;
  std::vector<Column> columns_;
  std::map<Key, std::uint32_t> known_;
};

/// Where the columns of the merged statistics come from in one report: a column, or no_column if all its
/// values are 0.
///
/// A node that had children in another run only is a leaf here: its whole time is its rest, as if it had been
/// analysed together with that run.
std::vector<std::uint32_t> sources(const std::vector<Column> &merged,
                                   const std::vector<std::uint32_t> &merged_of) {
  std::vector<std::uint32_t> source(merged.size(), no_column);
  std::vector<bool> has_remainder(merged.size(), false);
  for (std::uint32_t column = 0; column < merged_of.size(); ++column) {
    source[merged_of[column]] = column;
    if (merged[merged_of[column]].is_remainder())
      has_remainder[merged[merged_of[column]].parent] = true;
  }
  for (std::uint32_t column = 0; column < merged.size(); ++column)
    if (merged[column].is_remainder() && !has_remainder[merged[column].parent])
      source[column] = source[merged[column].parent];
  return source;
}

Sums placed(const Sums &batch, const Layout &layout, const std::vector<std::uint32_t> &merged_of,
            const Layout &merged_layout, const std::vector<std::uint32_t> &source) {
  Sums sums;
  sums.intervals = batch.intervals;
  sums.tail_intervals = batch.tail_intervals;
  sums.columns.resize(merged_layout.columns());
  sums.pairs.resize(merged_layout.pairs());
  for (std::size_t column = 0; column < source.size(); ++column)
    if (source[column] != no_column)
      sums.columns[column] = batch.columns[source[column]];
  for (std::uint32_t parent = 0; parent < layout.columns(); ++parent) {
    const llvm::ArrayRef<std::uint32_t> children = layout.children(parent);
    for (std::size_t j = 0; j < children.size(); ++j)
      for (std::size_t i = 0; i < j; ++i)
        sums.pairs[merged_layout.pair(merged_of[children[i]], merged_of[children[j]])] =
            batch.pairs[layout.pair(children[i], children[j])];
  }
  return sums;
}

void add_groups(Statistics &merged, const Statistics &part, const std::vector<std::uint32_t> &source,
                std::uint64_t intervals) {
  for (std::size_t column = 0; column < source.size(); ++column) {
    if (source[column] == no_column) {
      if (intervals != 0)
        merged.work_groups[column][0].intervals += intervals;
      continue;
    }
    for (const auto &[number, group] : part.work_groups[source[column]]) {
      merged.work_groups[column][number].intervals += group.intervals;
      merged.work_groups[column][number].sum += group.sum;
    }
  }
  for (const auto &[bin, count] : part.latency_bins)
    merged.latency_bins[bin] += count;
}

Statistics merge_statistics(llvm::ArrayRef<Report> reports) {
  Union all;
  std::vector<std::vector<std::uint32_t>> merged_of;
  for (const Report &report : reports)
    merged_of.push_back(all.add(report.statistics));
  Statistics merged;
  merged.columns = all.columns();
  merged.tail_quantile = reports.front().statistics.tail_quantile;
  merged.work_groups.resize(merged.columns.size());
  const Layout merged_layout = merged.layout();
  for (std::size_t i = 0; i < reports.size(); ++i) {
    if (reports[i].statistics.columns.empty())
      continue;
    const std::vector<std::uint32_t> source = sources(merged.columns, merged_of[i]);
    const Layout layout = reports[i].statistics.layout();
    for (const Sums &batch : reports[i].statistics.batches)
      merged.batches.push_back(placed(batch, layout, merged_of[i], merged_layout, source));
    add_groups(merged, reports[i].statistics, source, reports[i].intervals.complete);
  }
  return merged;
}

void add_counts(std::map<std::string, std::uint64_t> &total,
                const std::map<std::string, std::uint64_t> &part) {
  for (const auto &[reason, count] : part)
    total[reason] += count;
}

void add_new(std::vector<std::string> &list, const std::vector<std::string> &more) {
  for (const std::string &entry : more)
    if (std::find(list.begin(), list.end(), entry) == list.end())
      list.push_back(entry);
}

/// Weighted with the number of files, as in an analysis of all of them.
double mean_over_files(const Quality &a, const Quality &b, double Quality::*field) {
  const double files = static_cast<double>(a.files + b.files);
  return files == 0
             ? 0
             : (a.*field * static_cast<double>(a.files) + b.*field * static_cast<double>(b.files)) / files;
}

void add_quality(Quality &total, const Quality &part) {
  total.probe_pair_ns = mean_over_files(total, part, &Quality::probe_pair_ns);
  total.probe_inside_ns = mean_over_files(total, part, &Quality::probe_inside_ns);
  add_counts(total.cut, part.cut);
  total.files += part.files;
  total.processes += part.processes;
  total.threads += part.threads;
  total.trace_bytes += part.trace_bytes;
  total.damaged_chunks += part.damaged_chunks;
  total.damaged_intervals += part.damaged_intervals;
  total.damaged_bytes += part.damaged_bytes;
  total.unsymbolized_sites = std::max(total.unsymbolized_sites, part.unsymbolized_sites);
  add_new(total.clock_sources, part.clock_sources);
  add_new(total.modules_unsymbolized, part.modules_unsymbolized);
}

/// The warnings of a part, without those that are derived anew for the whole.
std::vector<std::string> lasting_warnings(const Report &part) {
  const std::vector<std::string> derived = statistics_warnings(part);
  std::vector<std::string> lasting = part.quality.warnings;
  std::erase_if(lasting, [&](const std::string &warning) {
    return std::find(derived.begin(), derived.end(), warning) != derived.end();
  });
  return lasting;
}

llvm::Error check(llvm::ArrayRef<Report> reports) {
  if (reports.empty())
    return bad_input("no report to merge");
  for (const Report &report : reports) {
    if (report.plan != reports.front().plan)
      return bad_input("reports of plan {:#x} and plan {:#x} cannot be merged: use runs of one build",
                       reports.front().plan, report.plan);
    if (report.quality.probe_cost_subtracted != reports.front().quality.probe_cost_subtracted)
      return bad_input("reports with and without probe cost subtracted cannot be merged");
    if (report.statistics.tail_quantile != reports.front().statistics.tail_quantile)
      return bad_input("reports with tail quantiles {} and {} cannot be merged",
                       reports.front().statistics.tail_quantile, report.statistics.tail_quantile);
  }
  return llvm::Error::success();
}

} // namespace

llvm::Expected<Report> merge_reports(llvm::ArrayRef<Report> reports) {
  if (llvm::Error error = check(reports))
    return error;
  Report merged;
  merged.plan = reports.front().plan;
  merged.root = reports.front().root;
  merged.quality.probe_cost_subtracted = reports.front().quality.probe_cost_subtracted;
  merged.quality.unmeasured_calls = reports.front().quality.unmeasured_calls;
  double max_ns = 0;
  std::set<double> thresholds;
  for (const Report &report : reports) {
    merged.intervals.complete += report.intervals.complete;
    merged.intervals.incomplete += report.intervals.incomplete;
    add_counts(merged.intervals.dropped, report.intervals.dropped);
    add_quality(merged.quality, report.quality);
    add_new(merged.quality.warnings, lasting_warnings(report));
    max_ns = std::max(max_ns, report.latency ? report.latency->max_ns : 0);
    if (report.quality.tail_threshold_ns)
      thresholds.insert(*report.quality.tail_threshold_ns);
  }
  merged.statistics = merge_statistics(reports);
  if (thresholds.size() == 1)
    merged.quality.tail_threshold_ns = *thresholds.begin();
  else if (thresholds.size() > 1)
    merged.quality.warnings.push_back(
        "merged: the tail is the slowest part of each run, not of all together");
  if (merged.intervals.complete != 0)
    merged.latency = binned_latency(merged.statistics, merged.statistics.total(), max_ns);
  derive_tree(merged);
  return merged;
}

} // namespace vprof::vtree
