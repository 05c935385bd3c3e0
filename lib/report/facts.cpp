// Facts are what was recorded, before any statistics: ticks become nanoseconds, and that is all.
#include "vprof/report/facts.h"

#include "vprof/vtree/analyze.h"
#include "vprof/vtree/run_walk.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace vprof::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr unsigned facts_depth =
    4096; // paths are written out in full, so a deeper recursion would take too long

std::string dump(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string path_element(const std::string &function, bool external) {
  return external ? "ext:" + function : function;
}

/// Writes one interval after the other with commas between them.
class FactsWriter {
public:
  FactsWriter(const vtree::RunWalk &walk, llvm::raw_ostream &out) : walk_(walk), out_(out) {}

  void add(const vtree::RunInterval &interval) {
    Json json = head(interval.file, interval.thread, interval.start_ticks, interval.duration_ticks, true);
    json["calls"] = calls(interval);
    write(json);
  }

  void add_incomplete(std::size_t file, std::size_t thread, std::uint64_t start_ticks,
                      std::uint64_t elapsed_ticks) {
    Json json = head(file, thread, start_ticks, elapsed_ticks, false);
    json["calls"] = Json::array();
    write(json);
  }

private:
  Json head(std::size_t file, std::size_t thread, std::uint64_t start_ticks, std::uint64_t ticks,
            bool complete) const {
    const vtree::TraceFile &trace = walk_.run().files[file];
    return {{"pid", trace.header().pid},
            {"thread", trace.threads()[thread].thread_id},
            {"start_ns", trace.monotonic_ns(start_ticks)},
            {"duration_ns", nanoseconds(trace, ticks)},
            {"complete", complete},
            {"label", nullptr}};
  }

  /// Rounded down: then the children of a context, added up, last no longer than it does.
  static std::uint64_t nanoseconds(const vtree::TraceFile &trace, std::uint64_t ticks) {
    return static_cast<std::uint64_t>(static_cast<double>(ticks) * trace.ns_per_tick());
  }

  // Ticks are added up before they are rounded, so that children do not seem to last longer than their
  // parent.
  Json calls(const vtree::RunInterval &interval) {
    struct Sum {
      std::uint64_t count = 0;
      std::uint64_t ticks = 0;
    };
    std::map<std::uint32_t, Sum> by_context;
    for (const vtree::ContextEntry &entry : interval.entries) {
      if (entry.ref.folded || entry.ref.context == 0)
        continue;
      Sum &sum = by_context[entry.ref.context];
      sum.count += entry.count;
      sum.ticks += entry.ticks;
    }
    const vtree::TraceFile &trace = walk_.run().files[interval.file];
    Json list = Json::array({call({walk_.run().manifest.root.shown_name()}, interval.invocations,
                                  nanoseconds(trace, interval.duration_ticks))});
    for (const auto &[context, sum] : by_context)
      list.push_back(call(path(context), sum.count, nanoseconds(trace, sum.ticks)));
    return list;
  }

  static Json call(std::vector<std::string> path, std::uint64_t count, std::uint64_t total_ns) {
    return {{"path", std::move(path)}, {"count", count}, {"total_ns", total_ns}};
  }

  std::vector<std::string> path(std::uint32_t context) const {
    const std::vector<vtree::ContextNode> &nodes = walk_.contexts().nodes();
    std::vector<std::string> path;
    for (; context != 0; context = nodes[context].parent) {
      const vtree::Probe &probe = *nodes[context].probe;
      path.push_back(path_element(probe.function, probe.is_external()));
    }
    path.push_back(walk_.run().manifest.root.shown_name());
    std::reverse(path.begin(), path.end());
    return path;
  }

  void write(const Json &interval) {
    out_ << (first_ ? "\n" : ",\n") << dump(interval);
    first_ = false;
  }

  const vtree::RunWalk &walk_;
  llvm::raw_ostream &out_;
  bool first_ = true;
};

bool is_external(const vtree::Node &node) {
  return node.kind == vtree::NodeKind::wait || node.kind == vtree::NodeKind::call;
}

/// Children are in order of variance already.
void add_ranking(const vtree::Node &node, const std::string &path, Json &ranking) {
  Json children = Json::array();
  for (const vtree::Node &child : node.children)
    if (!child.is_remainder())
      children.push_back(path_element(child.function, is_external(child)));
  if (children.empty())
    return;
  ranking[path] = std::move(children);
  for (const vtree::Node &child : node.children)
    add_ranking(child, path + "/" + path_element(child.function, is_external(child)), ranking);
}

} // namespace

llvm::Error export_facts(const vtree::Run &run, llvm::raw_ostream &out) {
  vtree::AnalyzeOptions options;
  options.separate_call_sites = false;
  llvm::Expected<vtree::Report> report = vtree::analyze(run, options);
  if (!report)
    return report.takeError();

  vtree::RunWalk walk(run, {/*separate_call_sites=*/false, facts_depth});
  FactsWriter writer(walk, out);
  out << "{\"intervals\": [";
  const auto on_interval = [&](const vtree::RunInterval &interval) { writer.add(interval); };
  const auto on_cut = [&](const vtree::RunCut &cut) {
    writer.add_incomplete(cut.file, cut.thread, cut.record.start_ticks, cut.record.elapsed_ticks);
  };
  walk.walk(on_interval, on_cut);
  for (std::size_t file = 0; file < run.files.size(); ++file)
    for (std::size_t thread = 0; thread < run.files[file].threads().size(); ++thread)
      if (run.files[file].threads()[thread].open_ticks != 0) // how long it had lasted, nobody knows
        writer.add_incomplete(file, thread, run.files[file].threads()[thread].open_ticks, 0);
  Json ranking = Json::object();
  if (report->tree)
    add_ranking(*report->tree, report->tree->function, ranking);
  out << "\n],\n\"ranking\": " << dump(ranking) << "}\n";
  return llvm::Error::success();
}

} // namespace vprof::report
