#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace minidb {

struct LatencySummary {
  std::size_t count = 0;
  double mean_ms = 0;
  double stddev_ms = 0;
  double variation = 0; // coefficient of variation: stddev / mean
  double p50_ms = 0;
  double p95_ms = 0;
  double p99_ms = 0;
  double p999_ms = 0;
  double max_ms = 0;
};

/// Percentiles are nearest-rank. All zero for no samples; stddev is that of the population.
LatencySummary summarize(std::vector<std::int64_t> samples_ns);

} // namespace minidb
