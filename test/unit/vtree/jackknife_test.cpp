#include "vprof/vtree/jackknife.h"

#include <gtest/gtest.h>

#include <cmath>

namespace vprof::vtree {
namespace {

TEST(StudentT, AgreesWithTables) {
  EXPECT_NEAR(student_t_975(19), 2.09302, 1e-4);
  EXPECT_NEAR(student_t_975(29), 2.04523, 1e-4);
  EXPECT_NEAR(student_t_975(39), 2.02269, 1e-4);
  EXPECT_NEAR(student_t_975(1000), 1.96234, 1e-5);
}

// For a mean the jackknife must give the textbook interval: mean +- t * s / sqrt(n), s with n - 1.
TEST(Jackknife, OfAMeanIsTheTextbookInterval) {
  Statistics statistics;
  statistics.columns.resize(1);
  std::vector<double> values;
  for (int i = 0; i < 20; ++i) {
    const FixedNs value = 256 * (100 + i * i % 17);
    values.push_back(static_cast<double>(value) / units_per_ns);
    Sums batch;
    batch.intervals = 1;
    batch.columns.resize(1);
    batch.columns[0].sum = value;
    statistics.batches.push_back(batch);
  }
  double mean = 0;
  for (const double value : values)
    mean += value / 20;
  double squares = 0;
  for (const double value : values)
    squares += (value - mean) * (value - mean);
  const double half = student_t_975(19) * std::sqrt(squares / 19 / 20);

  const Jackknife jackknife(statistics);
  const std::optional<ConfidenceInterval> got = jackknife.interval(
      [](const Sums &sums) { return std::optional(mean_ns(sums.intervals, sums.columns[0].sum)); });
  ASSERT_TRUE(got.has_value());
  EXPECT_NEAR(got->low, mean - half, 1e-9);
  EXPECT_NEAR(got->high, mean + half, 1e-9);
}

TEST(Jackknife, TooFewBatchesGiveNone) {
  Statistics statistics;
  statistics.columns.resize(1);
  Sums batch;
  batch.intervals = 5;
  batch.columns.resize(1);
  statistics.batches.assign(min_batches - 1, batch);
  const auto quantity = [](const Sums &) { return std::optional(1.0); };
  EXPECT_FALSE(Jackknife(statistics).interval(quantity).has_value());
  statistics.batches.push_back(batch);
  EXPECT_TRUE(Jackknife(statistics).interval(quantity).has_value());
  EXPECT_FALSE(
      Jackknife(statistics).interval([](const Sums &) { return std::optional<double>(); }).has_value());
}

TEST(Layout, PairsOfSiblings) {
  std::vector<Column> columns(6);
  for (std::uint32_t i = 1; i < 4; ++i)
    columns[i].parent = 0;
  columns[4].parent = columns[5].parent = 2;
  const Layout layout(columns);
  EXPECT_EQ(layout.pairs(), 4u);
  EXPECT_EQ(layout.pair(1, 2), 0u);
  EXPECT_EQ(layout.pair(1, 3), 1u);
  EXPECT_EQ(layout.pair(3, 2), 2u);
  EXPECT_EQ(layout.pair(5, 4), 3u);
  EXPECT_EQ(layout.children(2).size(), 2u);
}

} // namespace
} // namespace vprof::vtree
