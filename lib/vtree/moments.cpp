#include "vprof/vtree/moments.h"

#include <bit>
#include <cmath>

namespace vprof::vtree {
namespace {

// n < 2^64 and sums < 2^192, so a product needs less than 256 bits; a margin costs nothing.
constexpr unsigned product_bits = 320;

llvm::APInt times(std::uint64_t n, const llvm::APInt &value) {
  return llvm::APInt(product_bits, n) * value;
}

/// Nearest double, but for bits below the first 64. (Not APInt::roundToDouble: in LLVM 19 it gives wrong
/// values for integers of more than 64 bits, 2^64 among them.)
double to_double(const llvm::APInt &value) {
  const llvm::APInt magnitude = value.abs();
  const unsigned bits = magnitude.getActiveBits();
  const unsigned shift = bits > 64 ? bits - 64 : 0;
  const double leading = static_cast<double>(magnitude.extractBitsAsZExtValue(64, shift));
  return std::ldexp(value.isNegative() ? -leading : leading, static_cast<int>(shift));
}

constexpr double unit2_per_ns2 = units_per_ns * units_per_ns;

} // namespace

double mean_ns(std::uint64_t n, Int128 sum) {
  return n == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(n) / units_per_ns;
}

double covariance_ns2(std::uint64_t n, Int128 sum_a, Int128 sum_b, const WideSum &sum_ab) {
  if (n == 0)
    return 0.0;
  const llvm::APInt scaled =
      times(n, sum_ab.extended(product_bits)) - extended(sum_a, product_bits) * extended(sum_b, product_bits);
  const double count = static_cast<double>(n);
  return to_double(scaled) / count / count / unit2_per_ns2;
}

double variance_ns2(std::uint64_t n, Int128 sum, const WideSum &sum_of_squares) {
  return covariance_ns2(n, sum, sum, sum_of_squares);
}

// With n = sum n_g and S = sum S_g, n^2 Var = sum over g of (n S_g - n_g S)^2 / n_g / n: the subtraction that
// cancels is done in integers.
double between_group_variance_ns2(llvm::ArrayRef<GroupSum> groups) {
  std::uint64_t n = 0;
  Int128 sum = 0;
  for (const GroupSum &group : groups) {
    n += group.intervals;
    sum += group.sum;
  }
  if (n == 0)
    return 0.0;
  const double count = static_cast<double>(n);
  double total = 0;
  for (const GroupSum &group : groups) {
    if (group.intervals == 0)
      continue;
    const llvm::APInt scaled =
        times(n, extended(group.sum, product_bits)) - times(group.intervals, extended(sum, product_bits));
    const double size = static_cast<double>(group.intervals);
    const double deviation = to_double(scaled) / count / size; // of the group's mean, units
    total += size * deviation * deviation;
  }
  return total / count / unit2_per_ns2;
}

namespace {

/// Position of `value` among 2^bits equal steps between the powers of two around it, counted on from
/// 2^first_octave, the smallest value allowed.
std::uint32_t log_linear(std::uint64_t value, unsigned bits, unsigned first_octave) {
  const unsigned octave = static_cast<unsigned>(std::bit_width(value)) - 1;
  const std::uint64_t scaled = octave >= bits ? value >> (octave - bits) : value << (bits - octave);
  const std::uint64_t step = scaled & ((std::uint64_t{1} << bits) - 1);
  return static_cast<std::uint32_t>((std::uint64_t{octave - first_octave} << bits) + step);
}

constexpr unsigned latency_bits = 6;

} // namespace

std::uint32_t work_group(std::uint64_t count) {
  if (count < exact_work_groups)
    return static_cast<std::uint32_t>(count);
  constexpr unsigned bits = 5;
  constexpr unsigned first_octave = std::bit_width(exact_work_groups) - 1;
  return static_cast<std::uint32_t>(exact_work_groups) + log_linear(count, bits, first_octave);
}

std::uint32_t latency_bin(FixedNs value) {
  return value < 1 ? 0 : 1 + log_linear(static_cast<std::uint64_t>(value), latency_bits, 0);
}

double latency_bin_ns(std::uint32_t bin) {
  if (bin == 0)
    return 0.0;
  constexpr std::uint32_t steps = 1u << latency_bits;
  const std::uint32_t octave = (bin - 1) / steps;
  const double step = static_cast<double>((bin - 1) % steps);
  return std::ldexp(1.0 + (step + 0.5) / steps, static_cast<int>(octave)) / units_per_ns;
}

} // namespace vprof::vtree
