#include "vprof/vtree/exact_sum.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"

#include <array>

namespace vprof::vtree {
namespace {

constexpr unsigned wide_bits = 192;

std::string digits(const llvm::APInt &value) {
  llvm::SmallString<64> text;
  value.toString(text, /*Radix=*/10, /*Signed=*/true);
  return std::string(text);
}

/// `text` as a signed number of at most `bits` bits.
std::optional<llvm::APInt> parse(llvm::StringRef text, unsigned bits) {
  const bool negative = text.consume_front("-");
  llvm::APInt magnitude;
  if (text.empty() || text.size() > wide_bits || text.getAsInteger(10, magnitude))
    return std::nullopt;
  if (magnitude.getActiveBits() >= bits)
    return std::nullopt;
  llvm::APInt value = magnitude.zextOrTrunc(bits);
  if (negative)
    value.negate();
  return value;
}

} // namespace

llvm::APInt WideSum::extended(unsigned bits) const {
  const std::array<std::uint64_t, 3> words{static_cast<std::uint64_t>(low_),
                                           static_cast<std::uint64_t>(low_ >> 64),
                                           static_cast<std::uint64_t>(high_)};
  return llvm::APInt(wide_bits, llvm::ArrayRef<std::uint64_t>(words)).sext(bits);
}

std::string WideSum::decimal() const {
  return digits(extended(wide_bits));
}

std::optional<WideSum> WideSum::from_decimal(llvm::StringRef text) {
  const std::optional<llvm::APInt> value = parse(text, wide_bits);
  if (!value)
    return std::nullopt;
  WideSum sum;
  sum.low_ = static_cast<UInt128>(value->getRawData()[1]) << 64 | value->getRawData()[0];
  sum.high_ = static_cast<std::int64_t>(value->getRawData()[2]);
  return sum;
}

llvm::APInt extended(Int128 value, unsigned bits) {
  const std::array<std::uint64_t, 2> words{static_cast<std::uint64_t>(value),
                                           static_cast<std::uint64_t>(static_cast<UInt128>(value) >> 64)};
  return llvm::APInt(128, llvm::ArrayRef<std::uint64_t>(words)).sext(bits);
}

std::string decimal(Int128 value) {
  return digits(extended(value, 128));
}

std::optional<Int128> int128_from_decimal(llvm::StringRef text) {
  const std::optional<llvm::APInt> value = parse(text, 128);
  if (!value)
    return std::nullopt;
  return static_cast<Int128>(static_cast<UInt128>(value->getRawData()[1]) << 64 | value->getRawData()[0]);
}

} // namespace vprof::vtree
