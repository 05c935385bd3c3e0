#include "vprof/vtree/jackknife.h"

#include <cmath>

namespace vprof::vtree {

double student_t_975(std::size_t degrees_of_freedom) {
  constexpr double z = 1.959963984540054;
  constexpr double z3 = z * z * z;
  constexpr double z5 = z3 * z * z;
  constexpr double z7 = z5 * z * z;
  const double v = static_cast<double>(degrees_of_freedom);
  return z + (z3 + z) / (4 * v) + (5 * z5 + 16 * z3 + 3 * z) / (96 * v * v) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * v * v * v);
}

ConfidenceInterval jackknife_interval(double estimate, llvm::ArrayRef<double> left_out) {
  const double batches = static_cast<double>(left_out.size());
  double mean = 0;
  for (const double value : left_out)
    mean += value / batches;
  double squares = 0;
  for (const double value : left_out)
    squares += (value - mean) * (value - mean);
  const double half_width = student_t_975(left_out.size() - 1) * std::sqrt((batches - 1) / batches * squares);
  return {estimate - half_width, estimate + half_width};
}

Jackknife::Jackknife(const Statistics &statistics) : total_(statistics.total()) {
  if (statistics.batches.size() < min_batches)
    return;
  for (const Sums &batch : statistics.batches) {
    left_out_.push_back(total_);
    left_out_.back() -= batch;
  }
}

std::optional<ConfidenceInterval> Jackknife::interval(Quantity quantity) const {
  const std::optional<double> estimate = quantity(total_);
  if (!estimate || left_out_.empty())
    return std::nullopt;
  std::vector<double> values;
  for (const Sums &sums : left_out_) {
    const std::optional<double> value = quantity(sums);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return jackknife_interval(*estimate, values);
}

} // namespace vprof::vtree
