// The raw measurement of a run as JSON, for tests and for people who compute on their own.
#ifndef VPROF_REPORT_FACTS_H
#define VPROF_REPORT_FACTS_H

#include "vprof/vtree/run.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace vprof::report {

/// Writes { "intervals": [..], "ranking": {..} }: every interval with its calling contexts, inclusive times
/// as recorded (no probe cost subtracted), and for every context its children by their part of its variance.
/// Contexts are merged over call sites; a call of a function without body in the tree is "ext:NAME". Written
/// as it is read, so memory does not grow with the number of intervals.
llvm::Error export_facts(const vtree::Run &run, llvm::raw_ostream &out);

} // namespace vprof::report

#endif
