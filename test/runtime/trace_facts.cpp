#include "trace_facts.h"

#include "vprof/vtree/trace_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <type_traits>

namespace vprof::runtime {
namespace {

class ThreadFacts {
public:
  ThreadFacts(const vtree::TraceFile &file, const vtree::ThreadView &thread, FileFacts &facts)
      : reader_(file, thread), thread_(thread), facts_(facts) {}

  void read() {
    while (const std::optional<vtree::Record> record = reader_.next())
      std::visit([this](const auto &value) { take(value); }, *record);
    for (const std::string &message : reader_.damage().messages)
      facts_.faults.push_back(message);
    // open_ticks up to the last record's start: the process ended between the record and the clearing of
    // open_ticks.
    facts_.open += thread_.open_ticks > last_start_;
  }

private:
  struct Node {
    std::uint32_t parent = 0;
    std::uint32_t probe = 0;
    std::size_t depth = 0;
    Path path; // empty if longer than longest_path
  };

  void take(const vtree::NodeRecord &record) {
    Node node;
    node.parent = record.parent;
    node.probe = record.probe_id;
    node.depth = nodes_[record.parent].depth + 1;
    if (node.depth <= longest_path) {
      node.path = nodes_[record.parent].path;
      node.path.push_back(record.probe_id);
    }
    nodes_.push_back(std::move(node));
  }

  void take(const vtree::IntervalRecord &interval) {
    last_start_ = interval.start_ticks;
    facts_.intervals.push_back(
        {thread_.index, interval.start_ticks, interval.duration_ticks, interval.invocations});
    std::map<Path, PathFacts> seen;
    for (const vtree::IntervalEntry &entry : interval.entries) {
      const Node &node = nodes_[entry.node];
      facts_.calls_by_probe[node.probe] += entry.count;
      facts_.deepest = std::max(facts_.deepest, node.depth);
      PathFacts &facts = seen[node.path];
      facts.calls += entry.count;
      facts.ticks += entry.ticks;
    }
    for (const auto &[path, facts] : seen) {
      PathFacts &sum = facts_.paths[path];
      ++sum.intervals;
      sum.calls += facts.calls;
      sum.ticks += facts.ticks;
    }
    check_sums(interval);
  }

  void check_sums(const vtree::IntervalRecord &interval) {
    std::map<std::uint32_t, std::uint64_t> total, children;
    for (const vtree::IntervalEntry &entry : interval.entries) {
      total[entry.node] += entry.ticks;
      children[nodes_[entry.node].parent] += entry.ticks;
    }
    if (children[0] != interval.duration_ticks)
      facts_.faults.push_back(
          fmt::format("{} ticks of roots in an interval of {}", children[0], interval.duration_ticks));
    for (const auto &[node, ticks] : children)
      if (node != 0 && (total.count(node) == 0 || total[node] < ticks))
        facts_.faults.push_back(
            fmt::format("children of node {} take {} of {} ticks", node, ticks, total[node]));
  }

  void take(const vtree::CutRecord &cut) {
    last_start_ = cut.start_ticks;
    facts_.cuts.push_back(cut.reason);
  }

  vtree::ThreadReader reader_;
  const vtree::ThreadView &thread_;
  FileFacts &facts_;
  std::uint64_t last_start_ = 0;
  std::vector<Node> nodes_{Node()}; // by number; 0 stands above the roots
};

FileFacts read_file(const std::string &path) {
  FileFacts facts;
  facts.name = std::filesystem::path(path).filename().string();
  llvm::Expected<vtree::TraceFile> file = vtree::TraceFile::open(path);
  if (!file) {
    facts.faults.push_back(llvm::toString(file.takeError()));
    return facts;
  }
  const vprof_file_header &header = file->header();
  facts.pid = header.pid;
  facts.parent_pid = header.parent_pid;
  facts.plan = header.plan;
  facts.root_id = header.root_id;
  facts.live_threads = header.live_threads;
  facts.size_bytes = file->size_bytes();
  facts.ns_per_tick = file->ns_per_tick();
  facts.probe_cost_ns = static_cast<double>(header.probe_cost_ticks_q8) / 256 * facts.ns_per_tick;
  facts.probe_inside_ns = static_cast<double>(header.probe_inside_ticks_q8) / 256 * facts.ns_per_tick;
  facts.executable = file->executable();
  facts.dropped.assign(header.dropped, header.dropped + VPROF_DROP_REASONS);
  facts.threads = file->threads().size();
  for (const llvm::StringRef text : file->module_lists())
    facts.modules.push_back(text.str());
  for (const std::string &message : file->damage().messages)
    facts.faults.push_back(message);
  for (const vtree::ThreadView &thread : file->threads()) {
    facts.unsealed += static_cast<std::size_t>(std::count_if(
        thread.chunks.begin(), thread.chunks.end(), [](const auto &chunk) { return chunk.header.crc == 0; }));
    ThreadFacts(*file, thread, facts).read();
  }
  return facts;
}

} // namespace

std::size_t RunFacts::intervals() const {
  std::size_t sum = 0;
  for (const FileFacts &file : files)
    sum += file.intervals.size();
  return sum;
}

std::size_t RunFacts::cuts() const {
  std::size_t sum = 0;
  for (const FileFacts &file : files)
    sum += file.cuts.size();
  return sum;
}

std::size_t RunFacts::open() const {
  std::size_t sum = 0;
  for (const FileFacts &file : files)
    sum += file.open;
  return sum;
}

PathFacts RunFacts::path(const Path &path) const {
  PathFacts sum;
  for (const FileFacts &file : files) {
    const auto found = file.paths.find(path);
    if (found == file.paths.end())
      continue;
    sum.intervals += found->second.intervals;
    sum.calls += found->second.calls;
    sum.ticks += found->second.ticks;
  }
  return sum;
}

std::vector<std::string> RunFacts::faults() const {
  std::vector<std::string> all;
  for (const FileFacts &file : files)
    for (const std::string &fault : file.faults)
      all.push_back(file.name + ": " + fault);
  return all;
}

RunFacts read_run(const std::string &folder) {
  RunFacts run;
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().string());
  std::sort(names.begin(), names.end());
  for (const std::string &name : names)
    run.files.push_back(read_file(name));
  std::ranges::sort(run.files, {}, &FileFacts::pid); // one file per process
  return run;
}

} // namespace vprof::runtime
