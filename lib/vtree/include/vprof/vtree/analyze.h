// A run -> its report, in two passes over the traces: the first finds the nodes and the order of the
// intervals, the second adds up. Memory: 24 bytes per interval, plus the tree.
#ifndef VPROF_VTREE_ANALYZE_H
#define VPROF_VTREE_ANALYZE_H

#include "vprof/vtree/report.h"
#include "vprof/vtree/run.h"

#include "llvm/Support/Error.h"

namespace vprof::vtree {

struct AnalyzeOptions {
  bool subtract_probe_cost = true;
  double tail_quantile = 0.99;     // in (0, 1)
  unsigned batches = 20;           // at least min_batches, or there are no confidence intervals
  bool separate_call_sites = true; // false: calls of a function from several lines of its caller are one node
};

/// Everything but Report::factors, which select::rank adds. A run without complete intervals gives a report
/// that says so. Errors: options out of range.
llvm::Expected<Report> analyze(const Run &run, const AnalyzeOptions &options = {});

/// The report of several runs of one root, from their reports alone: counts, sums and so means, variances,
/// covariances and shares are exactly those of one analysis of all traces; nodes are the same if path, place
/// and call site agree. Two things need single intervals, which a report does not hold: quantiles (but the
/// largest) are within 0.8 %, and the tail is the slowest part of each run, not of all together. Factors are
/// for select::rank to add. Errors: no report, different roots, different tail quantiles.
llvm::Expected<Report> merge_reports(llvm::ArrayRef<Report> reports);

} // namespace vprof::vtree

#endif
