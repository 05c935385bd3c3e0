// Adds intervals up into statistics.
#ifndef VPROF_VTREE_ACCUMULATE_H
#define VPROF_VTREE_ACCUMULATE_H

#include "columns.h"
#include "interval_values.h"

#include "vprof/vtree/statistics.h"

#include <cstdint>
#include <vector>

namespace vprof::vtree {

class Accumulator {
public:
  Accumulator(const ColumnPlan &plan, std::size_t batches);

  void add(const IntervalValues &values, std::size_t batch, bool in_tail);
  /// Everything but the latency bins and the tail quantile. Ends the use of this object.
  Statistics finish();

private:
  void add_column(std::uint32_t column, FixedNs value, FixedNs cost, std::uint64_t calls);
  void add_pairs(const std::vector<std::uint32_t> &siblings);

  const ColumnPlan *plan_;
  Layout layout_;
  std::vector<Sums> batches_;
  std::vector<std::vector<GroupSum>> groups_; // per column, by work group; group 0 is completed at the end
  std::vector<std::vector<std::uint32_t>> siblings_; // per column: its children touched in this interval
  std::vector<FixedNs> value_;                       // per column, of this interval
  Sums *sums_ = nullptr;
  FixedNs root_value_ = 0;
  bool in_tail_ = false;
};

} // namespace vprof::vtree

#endif
