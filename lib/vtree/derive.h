// Statistics -> what the report says about latency and the tree.
#ifndef VPROF_VTREE_DERIVE_H
#define VPROF_VTREE_DERIVE_H

#include "vprof/vtree/report.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace vprof::vtree {

/// Index of the nearest-rank quantile q of n > 0 sorted values: the ceil(q n)-th of them.
std::uint64_t nearest_rank(double q, std::uint64_t n);

/// Latency with exact quantiles, from all sorted root values. `sorted` is not empty.
Latency exact_latency(const Sums &total, llvm::ArrayRef<FixedNs> sorted);

/// Latency with quantiles from the bins. At least one interval.
Latency binned_latency(const Statistics &statistics, const Sums &total, double max_ns);

/// What follows from the statistics alone and the reader should know: nothing varies, too few intervals, and
/// so on.
std::vector<std::string> statistics_warnings(const Report &report);

/// Sets tree, quality.batches, quality.probe_cost_ns, quality.rest_share, quality.tail_intervals, and adds
/// statistics_warnings. With no complete interval there is no tree.
void derive_tree(Report &report);

} // namespace vprof::vtree

#endif
