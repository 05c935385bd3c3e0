// Sufficient statistics of a variance tree: everything in a report can be computed from them, and they merge
// exactly.
#ifndef VPROF_VTREE_STATISTICS_H
#define VPROF_VTREE_STATISTICS_H

#include "vprof/vtree/exact_sum.h"
#include "vprof/vtree/moments.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace vprof::vtree {

enum class NodeKind {
  function, // a function with a probe in its body
  body,     // what an expanded function does itself: all its children are measured
  rest,     // what is left of a function whose children are not all measured
  wait,     // a call that can block, wrapped at the call
  call      // any other wrapped call
};

struct SourceLocation {
  std::string
      file; // relative to the source tree if inside, else absolute; or "module+0xADDRESS" without debug info
  unsigned line = 0; // 0: unknown

  bool operator==(const SourceLocation &) const = default;
  auto operator<=>(const SourceLocation &) const = default;
};

inline constexpr std::uint32_t no_column = ~std::uint32_t{0};

/// One node of the variance tree. A body or rest bears the name and place of its function, its parent.
struct Column {
  std::uint32_t parent = no_column;
  NodeKind kind = NodeKind::function;
  std::string function;
  std::string file;
  unsigned line = 0;
  std::optional<SourceLocation> call_site;
  int height = -1; // in the static call graph, -1 unknown; 0 for body, rest, wait and call
  bool expanded = false;

  [[nodiscard]] bool is_remainder() const { return kind == NodeKind::body || kind == NodeKind::rest; }
};

/// Sums of one column over the intervals of a batch.
struct ColumnSums {
  std::uint64_t calls = 0;
  Int128 sum = 0;        // of T, FixedNs units
  Int128 probe_cost = 0; // subtracted from T, FixedNs units
  Int128 tail_sum = 0;   // of T over the intervals of the tail
  WideSum sum_square;    // of T * T
  WideSum sum_with_root; // of T * T_root

  ColumnSums &operator+=(const ColumnSums &other);
  ColumnSums &operator-=(const ColumnSums &other);
};

/// Sums over a set of intervals. `columns` and `pairs` are as in the Layout.
struct Sums {
  std::uint64_t intervals = 0;
  std::uint64_t tail_intervals = 0; // those with T_root >= the tail threshold
  std::vector<ColumnSums> columns;
  std::vector<WideSum> pairs; // sum of T_a * T_b for siblings a, b

  Sums &operator+=(const Sums &other);
  Sums &operator-=(const Sums &other);
};

/// Where the children of a column and the pairs of siblings are found.
class Layout {
public:
  Layout() = default;
  explicit Layout(llvm::ArrayRef<Column> columns);

  [[nodiscard]] llvm::ArrayRef<std::uint32_t> children(std::uint32_t column) const {
    return children_[column];
  }
  [[nodiscard]] std::uint32_t columns() const { return static_cast<std::uint32_t>(children_.size()); }
  [[nodiscard]] std::size_t pairs() const { return pairs_; }
  /// Index in Sums::pairs of two different children of the same column.
  [[nodiscard]] std::size_t pair(std::uint32_t a, std::uint32_t b) const;

private:
  std::vector<std::vector<std::uint32_t>> children_;
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> position_; // among the parent's children
  std::vector<std::size_t> first_pair_; // of the column's children
  std::size_t pairs_ = 0;
};

/// The statistics of one analysis. Columns: parents before children, column 0 is the root.
struct Statistics {
  std::vector<Column> columns;
  std::vector<Sums> batches;                                  // contiguous in time
  std::vector<std::map<std::uint32_t, GroupSum>> work_groups; // per column: work_group(N) -> its intervals
  std::map<std::uint32_t, std::uint64_t> latency_bins;        // latency_bin(T_root) -> number of intervals
  double tail_quantile = 0.99;

  [[nodiscard]] Layout layout() const { return Layout(columns); }
  [[nodiscard]] Sums total() const;
};

// The quantities of METHOD, from sums. Each is none where it is not defined (no intervals, no variance).
double node_variance_ns2(const Sums &sums, std::uint32_t column);
double sibling_covariance_ns2(const Sums &sums, const Layout &layout, std::uint32_t a, std::uint32_t b);
/// Cov(T, T_root) / Var(T_root).
std::optional<double> share_of_variance(const Sums &sums, std::uint32_t column);
/// (E[T | tail] - E[T]) / (E[T_root | tail] - E[T_root]).
std::optional<double> share_of_tail(const Sums &sums, std::uint32_t column);

} // namespace vprof::vtree

#endif
