#include "zipf.h"

#include <algorithm>
#include <cmath>

namespace minidb {
namespace {

double zeta(std::uint32_t n, double theta) {
  double sum = 0;
  for (std::uint32_t i = 1; i <= n; ++i)
    sum += std::pow(i, -theta);
  return sum;
}

} // namespace

ZipfGenerator::ZipfGenerator(std::uint32_t n, double theta)
    : n_(n), theta_(theta), zeta_n_(zeta(n, theta)), alpha_(1 / (1 - theta)),
      eta_((1 - std::pow(2.0 / n, 1 - theta)) / (1 - zeta(std::min(n, 2U), theta) / zeta_n_)) {}

std::uint32_t ZipfGenerator::operator()(std::mt19937_64 &rng) const {
  const double u = std::uniform_real_distribution<double>()(rng);
  const double area = u * zeta_n_;
  if (area < 1 || n_ == 1)
    return 0;
  if (area < 1 + std::pow(0.5, theta_))
    return 1;
  const double rank = n_ * std::pow(eta_ * u - eta_ + 1, alpha_);
  return std::min(static_cast<std::uint32_t>(rank), n_ - 1);
}

std::uint32_t scatter(std::uint32_t rank, std::uint32_t n) {
  constexpr std::uint64_t prime = 4294967291; // above any n, so it has no factor in common with n
  return static_cast<std::uint32_t>((rank * prime + n / 2) % n);
}

} // namespace minidb
