#include "latency_summary.h"

#include <gtest/gtest.h>
#include <vector>

namespace minidb {
namespace {

constexpr std::int64_t ms = 1'000'000;

TEST(LatencySummary, OfNothingIsZero) {
  EXPECT_EQ(summarize({}).count, 0U);
  EXPECT_EQ(summarize({}).max_ms, 0);
}

TEST(LatencySummary, OfOneHasNoSpread) {
  const LatencySummary summary = summarize({3 * ms});
  EXPECT_DOUBLE_EQ(summary.mean_ms, 3);
  EXPECT_DOUBLE_EQ(summary.stddev_ms, 0);
  EXPECT_DOUBLE_EQ(summary.p50_ms, 3);
  EXPECT_DOUBLE_EQ(summary.p999_ms, 3);
}

TEST(LatencySummary, OfOneToHundred) {
  std::vector<std::int64_t> samples;
  for (std::int64_t i = 100; i >= 1; --i)
    samples.push_back(i * ms);
  const LatencySummary summary = summarize(samples);
  EXPECT_DOUBLE_EQ(summary.mean_ms, 50.5);
  EXPECT_NEAR(summary.stddev_ms, 28.866, 0.001); // sqrt((100^2 - 1) / 12)
  EXPECT_NEAR(summary.variation, 0.5716, 0.0001);
  EXPECT_DOUBLE_EQ(summary.p50_ms, 50);
  EXPECT_DOUBLE_EQ(summary.p95_ms, 95);
  EXPECT_DOUBLE_EQ(summary.p99_ms, 99);
  EXPECT_DOUBLE_EQ(summary.p999_ms, 100);
  EXPECT_DOUBLE_EQ(summary.max_ms, 100);
}

} // namespace
} // namespace minidb
