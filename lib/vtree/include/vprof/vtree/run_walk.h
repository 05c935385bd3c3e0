// Streams all intervals of a run, with thread nodes replaced by contexts.
#ifndef VPROF_VTREE_RUN_WALK_H
#define VPROF_VTREE_RUN_WALK_H

#include "vprof/vtree/context_tree.h"
#include "vprof/vtree/run.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <vector>

namespace vprof::vtree {

struct ContextEntry {
  ContextRef ref;
  std::uint64_t count = 0;
  std::uint64_t ticks = 0;
};

struct RunInterval {
  std::size_t file = 0;      // index in Run::files
  std::size_t thread = 0;    // index in TraceFile::threads
  std::uint64_t ordinal = 0; // among the intervals of the thread
  std::uint64_t start_ticks = 0;
  std::uint64_t duration_ticks = 0;
  std::uint64_t invocations = 0;
  llvm::ArrayRef<ContextEntry> entries; // valid during the call
};

struct RunCut {
  std::size_t file = 0;
  std::size_t thread = 0;
  CutRecord record;
};

/// Walks a run as often as needed; every walk gives the same intervals in the same order. The first one makes
/// the contexts.
class RunWalk {
public:
  RunWalk(const Run &run, ContextOptions options);
  RunWalk(const RunWalk &) = delete;
  RunWalk &operator=(const RunWalk &) = delete;

  using OnInterval = llvm::function_ref<void(const RunInterval &)>;
  using OnCut = llvm::function_ref<void(const RunCut &)>;

  /// Returns what could not be used of the files' records. Intervals that were open at the end are not among
  /// the cuts.
  Damage walk(OnInterval on_interval, OnCut on_cut);

  [[nodiscard]] const Run &run() const { return *run_; }
  [[nodiscard]] const ContextTree &contexts() const { return contexts_; }

private:
  Damage walk_thread(std::size_t file, std::size_t thread, OnInterval on_interval, OnCut on_cut);

  const Run *run_;
  ContextTree contexts_;
  std::vector<ModuleMap> modules_; // per file
};

} // namespace vprof::vtree

#endif
