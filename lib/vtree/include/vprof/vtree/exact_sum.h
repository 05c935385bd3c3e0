// Exact sums of integers, the base of all moments.
//
// Times are held as integers in units of 1/256 ns (FixedNs), so sums of values, squares and products are sums
// of integers. In 192 bits they cannot overflow (|value| < 2^62, so a product is < 2^124, and fewer than 2^64
// of them are added), they do not round, and their order does not matter: partial sums of threads, files,
// batches and machines merge, and come apart again for the jackknife, without any error. Nothing cancels
// until the one final subtraction (moments.h), which is done in 320 bits and rounded once. Welford and Chan
// updates were rejected for this: they round at every step, need a division per sample, and cannot take a
// batch out again.
#ifndef VPROF_VTREE_EXACT_SUM_H
#define VPROF_VTREE_EXACT_SUM_H

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace vprof::vtree {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

/// A time in units of 1/256 ns. Probe cost is calibrated in 1/256 ticks, so less would lose its fraction.
using FixedNs = std::int64_t;
inline constexpr double units_per_ns = 256.0;
/// Largest magnitude that enters a sum: 2^62 units are 208 days.
inline constexpr FixedNs max_fixed_ns = FixedNs{1} << 62;

/// A signed 192-bit integer that products of two FixedNs are added to and subtracted from.
class WideSum {
public:
  constexpr WideSum() = default;

  constexpr void add(Int128 value) {
    const UInt128 before = low_;
    low_ += static_cast<UInt128>(value);
    high_ += (value < 0 ? -1 : 0) + (low_ < before ? 1 : 0);
  }
  constexpr void add_product(FixedNs a, FixedNs b) { add(static_cast<Int128>(a) * b); }

  constexpr WideSum &operator+=(const WideSum &other) {
    const UInt128 before = low_;
    low_ += other.low_;
    high_ += other.high_ + (low_ < before ? 1 : 0);
    return *this;
  }
  constexpr WideSum &operator-=(const WideSum &other) {
    high_ -= other.high_ + (low_ < other.low_ ? 1 : 0);
    low_ -= other.low_;
    return *this;
  }
  constexpr bool operator==(const WideSum &other) const = default;
  [[nodiscard]] constexpr bool is_zero() const { return low_ == 0 && high_ == 0; }

  /// The value sign-extended to `bits` >= 192.
  [[nodiscard]] llvm::APInt extended(unsigned bits) const;
  /// Decimal digits with a leading '-' if negative.
  [[nodiscard]] std::string decimal() const;
  /// Inverse of decimal(); none if `text` is not a number of at most 192 bits.
  static std::optional<WideSum> from_decimal(llvm::StringRef text);

private:
  UInt128 low_ = 0;
  std::int64_t high_ = 0;
};

/// `value` sign-extended to `bits` >= 128.
llvm::APInt extended(Int128 value, unsigned bits);
std::string decimal(Int128 value);
std::optional<Int128> int128_from_decimal(llvm::StringRef text);

} // namespace vprof::vtree

#endif
