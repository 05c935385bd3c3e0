// Small runs for the analyzer's tests: a manifest in a few words, and a trace with one node per probe.
#ifndef VPROF_TEST_RUN_BUILDER_H
#define VPROF_TEST_RUN_BUILDER_H

#include "trace_writer.h"

#include "vprof/vtree/analyze.h"
#include "vprof/vtree/run.h"

#include <string>
#include <vector>

namespace vprof::test {

/// A probe of the plan. Ids are positions in the list, from 1; the first is the root.
struct ProbeSpec {
  std::string function;
  vtree::ProbeKind kind = vtree::ProbeKind::function;
  bool expanded = false;
  bool complete = false;
  int height = -1;
};

inline constexpr std::uint64_t test_plan = 0x1234567890abcdef;

vtree::Manifest make_manifest(const std::vector<ProbeSpec> &probes);

/// A trace file from bytes; a wrong file fails the test's process with its message.
vtree::TraceFile parse_trace(const std::string &bytes, const std::string &name = "test.vpt");
vtree::TraceFile parse_trace(const TraceWriter &writer);

/// Run of one file. The root's probe cost is 0 unless the writer's header says otherwise.
vtree::Run make_test_run(const std::vector<ProbeSpec> &probes, const TraceWriter &writer);

vtree::Report analyze_ok(const vtree::Run &run, const vtree::AnalyzeOptions &options = {});

/// The child of `node` with this shown name; fails the process if there is none.
const vtree::Node &child(const vtree::Node &node, const std::string &shown_name);

/// Message of an error that is expected; consumes it.
template <class T>
std::string message_of(llvm::Expected<T> result) {
  return result ? std::string() : llvm::toString(result.takeError());
}

} // namespace vprof::test

#endif
