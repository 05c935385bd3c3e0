// The stages of selection: tree -> heights -> candidates (factors with all their sites) -> score -> rank.
#ifndef VPROF_SELECT_INTERNAL_H
#define VPROF_SELECT_INTERNAL_H

#include "vprof/select/rank.h"

#include <cstdint>
#include <vector>

namespace vprof::select {

/// Heights by node id. Given ones are kept; an unknown one is the longest path below the node that was
/// measured.
std::vector<int> resolved_heights(const vtree::Report &report);

/// (height of the call graph - height)^2; 0 if the height is larger, as it can be where only one of them is
/// known.
double specificity(int graph_height, int height);

/// All functions and pairs of siblings of the tree with their sites, unranked and unfiltered. Time that is
/// counted in an outer activation of the same function (recursion) is not counted again. The root is left
/// out.
std::vector<vtree::Factor> collect_candidates(const vtree::Report &report, const std::vector<int> &heights);

} // namespace vprof::select

#endif
