// A run: the trace files that one instrumented build wrote, and the manifest that explains them.
#ifndef VPROF_VTREE_RUN_H
#define VPROF_VTREE_RUN_H

#include "vprof/vtree/manifest_view.h"
#include "vprof/vtree/trace_reader.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace vprof::vtree {

struct Run {
  Manifest manifest;
  std::vector<TraceFile> files; // in order of path; blank ones are left out
  std::vector<std::string> warnings;
};

/// Reads a run folder (manifest.json and *.vpt), or single .vpt files, or a mixture. The manifest is
/// `manifest_path` if not empty, else manifest.json beside the first trace. A run folder without a trace is
/// a run of nothing, with a warning. Errors: neither trace nor manifest found, a file that is not a trace, no
/// manifest, a trace recorded by another plan than the manifest's.
llvm::Expected<Run> load_run(llvm::ArrayRef<std::string> paths, const std::string &manifest_path = "");

/// Joins parts that are in memory already, with the same checks.
llvm::Expected<Run> make_run(Manifest manifest, std::vector<TraceFile> files);

} // namespace vprof::vtree

#endif
