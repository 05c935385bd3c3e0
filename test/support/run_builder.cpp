#include "run_builder.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace vprof::test {
namespace {

template <class T>
T value_or_die(llvm::Expected<T> result) {
  if (result)
    return std::move(*result);
  std::fprintf(stderr, "unexpected error: %s\n", llvm::toString(result.takeError()).c_str());
  std::abort();
}

} // namespace

vtree::Manifest make_manifest(const std::vector<ProbeSpec> &probes) {
  vtree::Manifest manifest;
  manifest.plan = test_plan;
  manifest.tree = "/src";
  std::uint32_t id = 0;
  for (const ProbeSpec &spec : probes) {
    vtree::Probe probe;
    probe.id = ++id;
    probe.kind = id == 1 ? vtree::ProbeKind::root : spec.kind;
    probe.function = spec.function;
    probe.file = "server.c";
    probe.line = 10 * id;
    probe.expanded = spec.expanded;
    probe.complete = spec.complete;
    probe.height = spec.height;
    manifest.add(probe);
  }
  manifest.root = {1, probes.front().function, "server.c", 10, {}, ""};
  manifest.call_graph_height = probes.front().height;
  return manifest;
}

vtree::TraceFile parse_trace(const std::string &bytes, const std::string &name) {
  return value_or_die(vtree::TraceFile::parse(llvm::MemoryBuffer::getMemBufferCopy(bytes, name), name));
}

vtree::TraceFile parse_trace(const TraceWriter &writer) {
  return parse_trace(writer.bytes());
}

vtree::Run make_test_run(const std::vector<ProbeSpec> &probes, const TraceWriter &writer) {
  std::vector<vtree::TraceFile> files;
  files.push_back(parse_trace(writer));
  return value_or_die(vtree::make_run(make_manifest(probes), std::move(files)));
}

vtree::Report analyze_ok(const vtree::Run &run, const vtree::AnalyzeOptions &options) {
  return value_or_die(vtree::analyze(run, options));
}

const vtree::Node &child(const vtree::Node &node, const std::string &shown_name) {
  for (const vtree::Node &candidate : node.children)
    if (candidate.shown_name() == shown_name)
      return candidate;
  std::fprintf(stderr, "%s has no child %s\n", node.shown_name().c_str(), shown_name.c_str());
  std::abort();
}

} // namespace vprof::test
