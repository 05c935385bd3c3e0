#include "latency_summary.h"

#include <algorithm>
#include <cmath>

namespace minidb {
namespace {

double to_ms(std::int64_t ns) {
  return static_cast<double>(ns) / 1e6;
}

double percentile_ms(const std::vector<std::int64_t> &sorted_ns, double share) {
  const double rank = std::ceil(share * static_cast<double>(sorted_ns.size()));
  return to_ms(sorted_ns[static_cast<std::size_t>(std::max(rank, 1.0)) - 1]);
}

} // namespace

LatencySummary summarize(std::vector<std::int64_t> samples_ns) {
  LatencySummary summary;
  summary.count = samples_ns.size();
  if (samples_ns.empty())
    return summary;
  std::ranges::sort(samples_ns);

  double squares = 0; // of the distances from the mean, after Welford
  double seen = 0;
  for (const std::int64_t sample : samples_ns) {
    const double distance = to_ms(sample) - summary.mean_ms;
    summary.mean_ms += distance / ++seen;
    squares += distance * (to_ms(sample) - summary.mean_ms);
  }
  summary.stddev_ms = std::sqrt(squares / seen);
  summary.variation = summary.mean_ms > 0 ? summary.stddev_ms / summary.mean_ms : 0;
  summary.p50_ms = percentile_ms(samples_ns, 0.50);
  summary.p95_ms = percentile_ms(samples_ns, 0.95);
  summary.p99_ms = percentile_ms(samples_ns, 0.99);
  summary.p999_ms = percentile_ms(samples_ns, 0.999);
  summary.max_ms = to_ms(samples_ns.back());
  return summary;
}

} // namespace minidb
