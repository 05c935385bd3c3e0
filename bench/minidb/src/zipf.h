#pragma once

#include <cstdint>
#include <random>

namespace minidb {

/// Draws ranks 0 .. n-1 with P(rank) proportional to 1 / (rank + 1)^theta, 0 <= theta < 1; theta 0 is
/// uniform. After Gray et al., "Quickly Generating Billion-Record Synthetic Databases", SIGMOD 1994.
class ZipfGenerator {
public:
  ZipfGenerator(std::uint32_t n, double theta);

  std::uint32_t operator()(std::mt19937_64 &rng) const;

private:
  std::uint32_t n_;
  double theta_;
  double zeta_n_; // sum of 1 / i^theta for i = 1 .. n
  double alpha_;
  double eta_;
};

/// Scatters ranks over keys 0 .. n-1, one to one, so that popular keys do not share pages. The most
/// popular key lies in the middle: who locks keys in order holds half of its locks when it gets there.
std::uint32_t scatter(std::uint32_t rank, std::uint32_t n);

} // namespace minidb
