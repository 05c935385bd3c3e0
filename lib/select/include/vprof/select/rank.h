// Which functions explain the variance, and which to look into next. Pure functions of a report.
#ifndef VPROF_SELECT_RANK_H
#define VPROF_SELECT_RANK_H

#include "vprof/vtree/report.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace vprof::select {

enum class ScoreMode {
  paper, // specificity x summed variance (functions) or doubled covariance (pairs): the papers' Algorithm 1
  share, // specificity x additive share of variance; functions only, as shares hold the covariances already
  tail   // specificity x additive share of the tail; functions only
};

std::optional<ScoreMode> score_mode_from_name(llvm::StringRef name);
std::string score_mode_name(ScoreMode mode);

struct Options {
  unsigned k = 5;
  double threshold =
      0.01; // d: a factor whose part of the root's variance (or tail) is not above this is left out
  ScoreMode score = ScoreMode::paper;
};

/// The top k factors, best first; fewer if fewer pass the threshold, none if the root does not vary. Ties: by
/// variance, then by names. The root itself is not a factor.
std::vector<vtree::Factor> rank(const vtree::Report &report, const Options &options);

/// Sets report.factors and report.selection.
void rank_into(vtree::Report &report, const Options &options);

/// A function whose children the next round measures.
struct Expansion {
  std::string function;
  std::string file;
  unsigned line = 0;

  bool operator==(const Expansion &) const = default;
};

/// The functions of these factors (both of a pair) that are not expanded yet, by rank. Empty: refinement has
/// ended, for every factor is a body, a rest, a call without body, a function already expanded, or one
/// without callees.
std::vector<Expansion> refine_plan(const vtree::Report &report, llvm::ArrayRef<vtree::Factor> factors);

} // namespace vprof::select

#endif
