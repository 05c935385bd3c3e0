#include "accumulate.h"

#include <utility>

namespace vprof::vtree {
namespace {

constexpr std::uint32_t root_context = 0;

} // namespace

Accumulator::Accumulator(const ColumnPlan &plan, std::size_t batches)
    : plan_(&plan), layout_(plan.columns), batches_(batches), groups_(plan.columns.size()),
      siblings_(plan.columns.size()), value_(plan.columns.size()) {
  for (Sums &batch : batches_) {
    batch.columns.resize(plan.columns.size());
    batch.pairs.resize(layout_.pairs());
  }
}

void Accumulator::add(const IntervalValues &values, std::size_t batch, bool in_tail) {
  sums_ = &batches_[batch];
  in_tail_ = in_tail;
  root_value_ = values.value(root_context);
  ++sums_->intervals;
  sums_->tail_intervals += in_tail ? 1 : 0;
  // Children come before parents, so a column's siblings are complete when its own turn comes.
  for (const std::uint32_t context : values.touched()) {
    const std::uint32_t column = plan_->of_context[context];
    add_column(column, values.value(context), values.cost(context), values.calls(context));
    const std::uint32_t remainder = plan_->remainder_of_context[context];
    if (remainder != no_column)
      add_column(remainder, values.remainder(context), values.remainder_cost(context), values.calls(context));
    add_pairs(siblings_[column]);
    siblings_[column].clear();
  }
}

void Accumulator::add_column(std::uint32_t column, FixedNs value, FixedNs cost, std::uint64_t calls) {
  ColumnSums &sums = sums_->columns[column];
  sums.calls += calls;
  sums.sum += value;
  sums.probe_cost += cost;
  sums.sum_square.add_product(value, value);
  sums.sum_with_root.add_product(value, root_value_);
  if (in_tail_)
    sums.tail_sum += value;

  std::vector<GroupSum> &groups = groups_[column];
  const std::uint32_t group = work_group(calls);
  if (group >= groups.size())
    groups.resize(group + 1);
  ++groups[group].intervals;
  groups[group].sum += value;

  value_[column] = value;
  const std::uint32_t parent = plan_->columns[column].parent;
  if (parent != no_column)
    siblings_[parent].push_back(column);
}

void Accumulator::add_pairs(const std::vector<std::uint32_t> &siblings) {
  for (std::size_t i = 0; i < siblings.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      sums_->pairs[layout_.pair(siblings[i], siblings[j])].add_product(value_[siblings[i]],
                                                                       value_[siblings[j]]);
}

Statistics Accumulator::finish() {
  Statistics statistics;
  statistics.columns = plan_->columns;
  statistics.work_groups.resize(groups_.size());
  std::uint64_t intervals = 0;
  for (const Sums &batch : batches_)
    intervals += batch.intervals;
  for (std::size_t column = 0; column < groups_.size(); ++column) {
    std::uint64_t absent = intervals;
    for (std::uint32_t group = 0; group < groups_[column].size(); ++group) {
      if (groups_[column][group].intervals == 0)
        continue;
      absent -= groups_[column][group].intervals;
      statistics.work_groups[column][group] = groups_[column][group];
    }
    if (absent > 0) // never called: value 0
      statistics.work_groups[column][0].intervals += absent;
  }
  statistics.batches = std::move(batches_);
  return statistics;
}

} // namespace vprof::vtree
