// The quality ledger: what the numbers rest on, and what was lost on the way.
#ifndef VPROF_VTREE_QUALITY_H
#define VPROF_VTREE_QUALITY_H

#include "vprof/vtree/analyze.h"
#include "vprof/vtree/context_tree.h"
#include "vprof/vtree/report.h"
#include "vprof/vtree/run.h"

#include <cstdint>
#include <map>
#include <string>

namespace vprof::vtree {

/// "longjmp", "thread_exit", "unit", "process_exit", or "reason_N" for one that this version does not know.
std::string cut_reason_name(std::uint64_t reason);

/// Plan, root, and the counts of files, processes, threads, bytes, clocks and probe cost.
void describe_run(Report &report, const Run &run, const AnalyzeOptions &options);

/// Incomplete and dropped intervals and damage.
void describe_losses(Report &report, const Run &run, const std::map<std::string, std::uint64_t> &cut,
                     const Damage &record_damage);

/// Call sites without a line, and modules that changed.
void describe_symbols(Report &report, const ContextTree &contexts);

} // namespace vprof::vtree

#endif
