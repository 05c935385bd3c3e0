// Contexts -> the columns of the variance tree, bodies and rests among them, in an order that depends on
// names alone.
#ifndef VPROF_VTREE_COLUMNS_H
#define VPROF_VTREE_COLUMNS_H

#include "vprof/vtree/context_tree.h"
#include "vprof/vtree/statistics.h"

#include <cstdint>
#include <vector>

namespace vprof::vtree {

struct ColumnPlan {
  std::vector<Column> columns;
  std::vector<std::uint32_t> of_context;           // column of a context
  std::vector<std::uint32_t> remainder_of_context; // column of its body or rest, no_column if it has none
};

/// A context has a remainder if its function was expanded or if a context lies below it. The remainder is a
/// body if the manifest says that all children are measured and none was folded away, else a rest.
ColumnPlan plan_columns(const Manifest &manifest, const ContextTree &contexts);

} // namespace vprof::vtree

#endif
