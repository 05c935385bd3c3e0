// Confidence from time batches: intervals that follow each other are not independent, batches nearly are.
#ifndef VPROF_VTREE_JACKKNIFE_H
#define VPROF_VTREE_JACKKNIFE_H

#include "vprof/vtree/statistics.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <vector>

namespace vprof::vtree {

struct ConfidenceInterval {
  double low = 0;
  double high = 0;

  [[nodiscard]] bool covers(double value) const { return low <= value && value <= high; }
  bool operator==(const ConfidenceInterval &) const = default;
};

/// Fewer batches than this give no interval.
inline constexpr std::size_t min_batches = 20;
inline constexpr std::size_t max_batches = 1000;

/// The 0.975 quantile of Student's t, for degrees of freedom >= min_batches - 1 (error < 1e-4; Cornish-Fisher
/// expansion about the normal quantile, Abramowitz and Stegun 26.7.5).
double student_t_975(std::size_t degrees_of_freedom);

/// estimate +- t * sqrt((B - 1) / B * sum (theta_b - mean theta)^2), theta_b with batch b left out.
ConfidenceInterval jackknife_interval(double estimate, llvm::ArrayRef<double> left_out);

/// All sums, and all sums but those of each batch in turn.
class Jackknife {
public:
  explicit Jackknife(const Statistics &statistics);

  using Quantity = llvm::function_ref<std::optional<double>(const Sums &)>;

  [[nodiscard]] const Sums &total() const { return total_; }
  /// The 95 % interval of a quantity; none with fewer than min_batches, or where the quantity is undefined.
  [[nodiscard]] std::optional<ConfidenceInterval> interval(Quantity quantity) const;

private:
  Sums total_;
  std::vector<Sums> left_out_;
};

} // namespace vprof::vtree

#endif
