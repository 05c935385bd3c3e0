#include "vprof/vtree/run_walk.h"

#include <fmt/format.h>

#include <optional>
#include <variant>

namespace vprof::vtree {
namespace {

using NodeMap =
    std::vector<std::optional<ContextRef>>; // by node number; none: a probe the manifest does not have

/// Fills `entries`; false if an entry has no context.
bool map_entries(const IntervalRecord &interval, const NodeMap &nodes, std::vector<ContextEntry> &entries) {
  entries.clear();
  for (const IntervalEntry &entry : interval.entries) {
    const std::optional<ContextRef> &ref = nodes[entry.node];
    if (!ref)
      return false;
    entries.push_back({*ref, entry.count, entry.ticks});
  }
  return true;
}

} // namespace

RunWalk::RunWalk(const Run &run, ContextOptions options) : run_(&run), contexts_(run.manifest, options) {
  modules_.reserve(run.files.size()); // the symbolizer remembers their addresses
  for (const TraceFile &file : run.files)
    modules_.emplace_back(file);
}

Damage RunWalk::walk(OnInterval on_interval, OnCut on_cut) {
  Damage damage;
  for (std::size_t file = 0; file < run_->files.size(); ++file)
    for (std::size_t thread = 0; thread < run_->files[file].threads().size(); ++thread)
      damage += walk_thread(file, thread, on_interval, on_cut);
  return damage;
}

Damage RunWalk::walk_thread(std::size_t file, std::size_t thread, OnInterval on_interval, OnCut on_cut) {
  const TraceFile &trace = run_->files[file];
  ThreadReader reader(trace, trace.threads()[thread]);
  NodeMap nodes(1); // nodes are numbered from 1
  std::vector<ContextEntry> entries;
  std::uint64_t ordinal = 0;
  Damage unmapped;
  while (const std::optional<Record> record = reader.next()) {
    if (const auto *node = std::get_if<NodeRecord>(&*record)) {
      const std::optional<ContextRef> parent = node->parent == 0 ? ContextRef{} : nodes[node->parent];
      nodes.push_back(parent ? contexts_.add(*node, *parent, modules_[file]) : std::nullopt);
      if (parent && !nodes.back())
        unmapped.add(fmt::format("{}: node {} has probe_id {}, which is not in the manifest", trace.name(),
                                 node->id, node->probe_id),
                     0);
    } else if (const auto *interval = std::get_if<IntervalRecord>(&*record)) {
      if (map_entries(*interval, nodes, entries))
        on_interval({file, thread, ordinal++, interval->start_ticks, interval->duration_ticks,
                     interval->invocations, entries});
      else
        ++unmapped.intervals;
    } else {
      on_cut({file, thread, std::get<CutRecord>(*record)});
    }
  }
  unmapped += reader.damage();
  return unmapped;
}

} // namespace vprof::vtree
