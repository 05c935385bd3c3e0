#include "vprof/vtree/statistics.h"

#include <cassert>
#include <utility>

namespace vprof::vtree {
namespace {

constexpr std::uint32_t root_column = 0;

} // namespace

ColumnSums &ColumnSums::operator+=(const ColumnSums &other) {
  calls += other.calls;
  sum += other.sum;
  probe_cost += other.probe_cost;
  tail_sum += other.tail_sum;
  sum_square += other.sum_square;
  sum_with_root += other.sum_with_root;
  return *this;
}

ColumnSums &ColumnSums::operator-=(const ColumnSums &other) {
  calls -= other.calls;
  sum -= other.sum;
  probe_cost -= other.probe_cost;
  tail_sum -= other.tail_sum;
  sum_square -= other.sum_square;
  sum_with_root -= other.sum_with_root;
  return *this;
}

Sums &Sums::operator+=(const Sums &other) {
  assert(columns.size() == other.columns.size() && pairs.size() == other.pairs.size());
  intervals += other.intervals;
  tail_intervals += other.tail_intervals;
  for (std::size_t i = 0; i < columns.size(); ++i)
    columns[i] += other.columns[i];
  for (std::size_t i = 0; i < pairs.size(); ++i)
    pairs[i] += other.pairs[i];
  return *this;
}

Sums &Sums::operator-=(const Sums &other) {
  assert(columns.size() == other.columns.size() && pairs.size() == other.pairs.size());
  intervals -= other.intervals;
  tail_intervals -= other.tail_intervals;
  for (std::size_t i = 0; i < columns.size(); ++i)
    columns[i] -= other.columns[i];
  for (std::size_t i = 0; i < pairs.size(); ++i)
    pairs[i] -= other.pairs[i];
  return *this;
}

Layout::Layout(llvm::ArrayRef<Column> columns)
    : children_(columns.size()), parent_(columns.size(), no_column), position_(columns.size(), 0),
      first_pair_(columns.size(), 0) {
  for (std::uint32_t column = 0; column < columns.size(); ++column) {
    const std::uint32_t parent = columns[column].parent;
    parent_[column] = parent;
    if (parent == no_column)
      continue;
    assert(parent < column && "parents come before children");
    position_[column] = static_cast<std::uint32_t>(children_[parent].size());
    children_[parent].push_back(column);
  }
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const std::size_t count = children_[column].size();
    first_pair_[column] = pairs_;
    pairs_ += count == 0 ? 0 : count * (count - 1) / 2;
  }
}

std::size_t Layout::pair(std::uint32_t a, std::uint32_t b) const {
  assert(a != b && parent_[a] == parent_[b] && parent_[a] != no_column);
  std::size_t low = position_[a];
  std::size_t high = position_[b];
  if (low > high)
    std::swap(low, high);
  return first_pair_[parent_[a]] + high * (high - 1) / 2 + low;
}

Sums Statistics::total() const {
  Sums total;
  total.columns.resize(columns.size());
  total.pairs.resize(layout().pairs());
  for (const Sums &batch : batches)
    total += batch;
  return total;
}

double node_variance_ns2(const Sums &sums, std::uint32_t column) {
  const ColumnSums &of = sums.columns[column];
  return variance_ns2(sums.intervals, of.sum, of.sum_square);
}

double sibling_covariance_ns2(const Sums &sums, const Layout &layout, std::uint32_t a, std::uint32_t b) {
  return covariance_ns2(sums.intervals, sums.columns[a].sum, sums.columns[b].sum,
                        sums.pairs[layout.pair(a, b)]);
}

std::optional<double> share_of_variance(const Sums &sums, std::uint32_t column) {
  const double root_variance_ns2 = node_variance_ns2(sums, root_column);
  if (root_variance_ns2 <= 0)
    return std::nullopt;
  const ColumnSums &of = sums.columns[column];
  return covariance_ns2(sums.intervals, of.sum, sums.columns[root_column].sum, of.sum_with_root) /
         root_variance_ns2;
}

std::optional<double> share_of_tail(const Sums &sums, std::uint32_t column) {
  const ColumnSums &root = sums.columns[root_column];
  const double root_excess_ns =
      mean_ns(sums.tail_intervals, root.tail_sum) - mean_ns(sums.intervals, root.sum);
  if (sums.tail_intervals == 0 || root_excess_ns <= 0)
    return std::nullopt;
  const ColumnSums &of = sums.columns[column];
  return (mean_ns(sums.tail_intervals, of.tail_sum) - mean_ns(sums.intervals, of.sum)) / root_excess_ns;
}

} // namespace vprof::vtree
