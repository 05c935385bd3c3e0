// Moments from exact sums. Population moments everywhere: sums are divided by n, not n - 1, because the
// variance tree describes the intervals that were measured; uncertainty about others is what the jackknife is
// for.
//
// An interval in which a node was not reached has the value 0 and adds nothing to any sum, so sums over the
// intervals in which nodes were reached are sums over all n; only n itself must be the number of all
// intervals.
#ifndef VPROF_VTREE_MOMENTS_H
#define VPROF_VTREE_MOMENTS_H

#include "vprof/vtree/exact_sum.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace vprof::vtree {

/// sum / n in ns; 0 for n = 0.
double mean_ns(std::uint64_t n, Int128 sum);

/// (n * sum_ab - sum_a * sum_b) / n^2 in ns^2; 0 for n = 0. Within 1 unit in the last place of the exact
/// value.
double covariance_ns2(std::uint64_t n, Int128 sum_a, Int128 sum_b, const WideSum &sum_ab);

/// The covariance of a value with itself: never negative.
double variance_ns2(std::uint64_t n, Int128 sum, const WideSum &sum_of_squares);

/// One group of intervals: those in which a node was called equally often.
struct GroupSum {
  std::uint64_t intervals = 0;
  Int128 sum = 0;
};

/// Var(E[T | group]) in ns^2: the population variance of the group means, each weighted with its number of
/// intervals. Groups must cover all intervals. 0 for no intervals or one group.
double between_group_variance_ns2(llvm::ArrayRef<GroupSum> groups);

/// Groups of invocation counts: 0..255 each by itself, above that 32 groups per doubling (3 % wide), so that
/// the number of groups is bounded and does not depend on the data. Counts that share a group count as equal
/// work.
inline constexpr std::uint64_t exact_work_groups = 256;
std::uint32_t work_group(std::uint64_t count);

/// Bins of latencies for merged quantiles: 64 per doubling, so that the middle of a bin is within 0.8 % of
/// all values in it. Bin 0 holds everything below 1 unit.
std::uint32_t latency_bin(FixedNs value);
/// The middle of a bin, in ns.
double latency_bin_ns(std::uint32_t bin);

} // namespace vprof::vtree

#endif
