#include "vprof/vtree/moments.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace vprof::vtree {
namespace {

struct Pair {
  FixedNs a;
  FixedNs b;
};

struct Exact {
  double variance_a;
  double variance_b;
  double covariance;
};

Exact exact(const std::vector<Pair> &values) {
  Int128 sum_a = 0;
  Int128 sum_b = 0;
  WideSum aa;
  WideSum bb;
  WideSum ab;
  for (const Pair &value : values) {
    sum_a += value.a;
    sum_b += value.b;
    aa.add_product(value.a, value.a);
    bb.add_product(value.b, value.b);
    ab.add_product(value.a, value.b);
  }
  const std::uint64_t n = values.size();
  return {variance_ns2(n, sum_a, aa), variance_ns2(n, sum_b, bb), covariance_ns2(n, sum_a, sum_b, ab)};
}

/// Two passes in long double, centred values.
Exact two_pass(const std::vector<Pair> &values) {
  const long double n = static_cast<long double>(values.size());
  long double mean_a = 0;
  long double mean_b = 0;
  for (const Pair &value : values) {
    mean_a += static_cast<long double>(value.a) / n;
    mean_b += static_cast<long double>(value.b) / n;
  }
  long double aa = 0;
  long double bb = 0;
  long double ab = 0;
  for (const Pair &value : values) {
    const long double a = static_cast<long double>(value.a) - mean_a;
    const long double b = static_cast<long double>(value.b) - mean_b;
    aa += a * a;
    bb += b * b;
    ab += a * b;
  }
  const long double unit2 = 65536.0L;
  return {static_cast<double>(aa / n / unit2), static_cast<double>(bb / n / unit2),
          static_cast<double>(ab / n / unit2)};
}

void expect_agreement(const std::vector<Pair> &values) {
  const Exact got = exact(values);
  const Exact want = two_pass(values);
  const double scale = std::sqrt(want.variance_a * want.variance_b);
  EXPECT_NEAR(got.variance_a, want.variance_a, 1e-10 * want.variance_a);
  EXPECT_NEAR(got.variance_b, want.variance_b, 1e-10 * want.variance_b);
  EXPECT_NEAR(got.covariance, want.covariance, 1e-10 * scale + 1e-15);
}

std::vector<Pair> make_values(std::size_t n, const std::function<Pair(std::mt19937_64 &)> &draw) {
  std::mt19937_64 random(12345);
  std::vector<Pair> values;
  for (std::size_t i = 0; i < n; ++i)
    values.push_back(draw(random));
  return values;
}

FixedNs ns(double value) {
  return static_cast<FixedNs>(value * units_per_ns);
}

TEST(Moments, TwoSecondsPlusMinusHundredNanoseconds) {
  std::uniform_real_distribution<double> noise(-100, 100);
  for (const std::size_t n : {1u, 2u, 3u, 1000u, 100000u})
    expect_agreement(make_values(n, [&](std::mt19937_64 &random) {
      return Pair{ns(2e9) + ns(noise(random)), ns(3e9) + ns(noise(random))};
    }));
}

TEST(Moments, HugeOutliers) {
  std::uniform_real_distribution<double> noise(0, 1e3);
  expect_agreement(make_values(100000, [&](std::mt19937_64 &random) {
    const bool outlier = random() % 10000 == 0;
    return Pair{ns(noise(random)) + (outlier ? ns(1e13) : 0), ns(noise(random))};
  }));
}

TEST(Moments, AnticorrelatedSumIsConstant) {
  std::uniform_real_distribution<double> noise(0, 1e9);
  const std::vector<Pair> values = make_values(100000, [&](std::mt19937_64 &random) {
    const FixedNs a = ns(noise(random));
    return Pair{a, ns(5e9) - a};
  });
  expect_agreement(values);
  const Exact got = exact(values);
  EXPECT_DOUBLE_EQ(got.variance_a, got.variance_b);
  EXPECT_DOUBLE_EQ(got.covariance, -got.variance_a);
}

TEST(Moments, ConstantIsExactlyZero) {
  const Exact got = exact(std::vector<Pair>(100000, Pair{ns(2e9) + 1, 3}));
  EXPECT_EQ(got.variance_a, 0);
  EXPECT_EQ(got.variance_b, 0);
  EXPECT_EQ(got.covariance, 0);
}

TEST(Moments, NothingIsZero) {
  EXPECT_EQ(mean_ns(0, 0), 0);
  EXPECT_EQ(variance_ns2(0, 0, WideSum()), 0);
  EXPECT_EQ(between_group_variance_ns2({}), 0);
}

TEST(Moments, SumsOfSquaresBeyond64BitsDoNotOverflow) {
  // 2 values, 0 and 2^62 units: the variance is 2^122 / 65536 ns^2.
  const Exact got = exact({{0, 0}, {max_fixed_ns, 0}});
  EXPECT_DOUBLE_EQ(got.variance_a, std::ldexp(1.0, 122 - 16));
}

TEST(BetweenGroups, LawOfTotalVariance) {
  // Groups {1, 3} and {7, 9, 8}: means 2 and 8, overall mean 5.6; (2 * 3.6^2 + 3 * 2.4^2) / 5 = 8.64.
  const std::vector<GroupSum> groups{{2, 4 * 256}, {3, 24 * 256}};
  EXPECT_NEAR(between_group_variance_ns2(groups), 8.64, 1e-12);
  EXPECT_EQ(between_group_variance_ns2({{5, 12345}}), 0);
  EXPECT_EQ(between_group_variance_ns2({{5, 500}, {0, 0}, {7, 700}}), 0);
}

TEST(WorkGroup, ExactThenThreePercent) {
  EXPECT_EQ(work_group(0), 0u);
  EXPECT_EQ(work_group(255), 255u);
  EXPECT_EQ(work_group(256), 256u);
  EXPECT_EQ(work_group(263), 256u);
  EXPECT_EQ(work_group(264), 257u);
  EXPECT_EQ(work_group(511), 287u);
  EXPECT_EQ(work_group(512), 288u);
  std::uint32_t before = 0;
  for (std::uint64_t count = 1; count < std::uint64_t{1} << 43; count += 1 + count / 50) {
    const std::uint32_t group = work_group(count);
    EXPECT_GE(group, before);
    before = group;
  }
}

TEST(LatencyBin, MiddleIsNear) {
  for (FixedNs value = 1; value < FixedNs{1} << 60; value += 1 + value / 7) {
    const double got = latency_bin_ns(latency_bin(value)) * units_per_ns;
    // Below 64 units a bin is wider than one value, and the value is not in its middle.
    EXPECT_NEAR(got, static_cast<double>(value), std::max(0.008 * static_cast<double>(value), 0.51)) << value;
  }
  EXPECT_EQ(latency_bin_ns(latency_bin(0)), 0);
  EXPECT_EQ(latency_bin(-5), 0u);
}

} // namespace
} // namespace vprof::vtree
