#include "zipf.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace minidb {
namespace {

std::vector<int> histogram(std::uint32_t n, double theta, int draws) {
  const ZipfGenerator zipf(n, theta);
  std::mt19937_64 rng(11);
  std::vector<int> counts(n, 0);
  for (int i = 0; i < draws; ++i)
    ++counts.at(zipf(rng));
  return counts;
}

TEST(Zipf, PopularRanksHaveTheirShare) {
  constexpr std::uint32_t n = 1000;
  constexpr double theta = 0.9;
  constexpr int draws = 400000;
  const std::vector<int> counts = histogram(n, theta, draws);
  double zeta = 0;
  for (std::uint32_t i = 1; i <= n; ++i)
    zeta += std::pow(i, -theta);
  EXPECT_NEAR(counts[0], draws / zeta, 0.03 * draws / zeta);
  EXPECT_NEAR(counts[1], draws / zeta * std::pow(0.5, theta), 0.03 * draws / zeta);
  int first_ten = 0;
  double expected_ten = 0;
  for (std::uint32_t i = 0; i < 10; ++i) {
    first_ten += counts[i];
    expected_ten += std::pow(i + 1, -theta) / zeta * draws;
  }
  EXPECT_NEAR(first_ten, expected_ten, 0.1 * expected_ten); // the method is approximate beyond rank 2
}

TEST(Zipf, ThetaZeroIsUniform) {
  for (const int count : histogram(10, 0, 100000)) // standard deviation 95
    EXPECT_NEAR(count, 10000, 500);
}

TEST(Zipf, StaysInRangeForTinyPopulations) {
  EXPECT_EQ(histogram(1, 0.9, 100), std::vector<int>{100});
  const std::vector<int> two = histogram(2, 0.9, 10000);
  EXPECT_GT(two[0], two[1]);
  EXPECT_GT(two[1], 0);
}

TEST(Scatter, IsOneToOne) {
  for (const std::uint32_t n : {1U, 7U, 1000U, 65536U}) {
    std::vector<bool> seen(n, false);
    for (std::uint32_t rank = 0; rank < n; ++rank) {
      const std::uint32_t key = scatter(rank, n);
      ASSERT_LT(key, n);
      EXPECT_FALSE(seen[key]);
      seen[key] = true;
    }
  }
}

} // namespace
} // namespace minidb
