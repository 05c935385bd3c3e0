// What a run left behind, in the terms tests speak in. Reads with lib/vtree's reader.
#ifndef VPROF_TEST_RUNTIME_TRACE_FACTS_H
#define VPROF_TEST_RUNTIME_TRACE_FACTS_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace vprof::runtime {

using Path = std::vector<std::uint32_t>; // probe ids from the root down

inline constexpr std::size_t longest_path = 32;

struct PathFacts {
  std::uint64_t intervals = 0; // in which the path has a value
  std::uint64_t calls = 0;
  std::uint64_t ticks = 0;
};

struct IntervalFacts {
  std::uint32_t thread = 0;
  std::uint64_t start_ticks = 0;
  std::uint64_t duration_ticks = 0;
  std::uint64_t invocations = 0;
};

struct FileFacts {
  std::string name;
  std::uint32_t pid = 0;
  std::uint32_t parent_pid = 0;
  std::uint64_t plan = 0;
  std::uint32_t root_id = 0;
  std::uint32_t live_threads = 0;
  std::uint64_t size_bytes = 0;
  double ns_per_tick = 0;
  double probe_cost_ns = 0;
  double probe_inside_ns = 0;
  std::string executable;
  std::vector<std::uint64_t> dropped;
  std::vector<IntervalFacts> intervals;
  std::vector<std::uint64_t> cuts;                       // reasons
  std::map<Path, PathFacts> paths;                       // not longer than longest_path
  std::map<std::uint32_t, std::uint64_t> calls_by_probe; // at any depth
  std::size_t deepest = 0;                               // nodes from a root down, of those with a value
  std::vector<std::string> modules;
  std::size_t threads = 0;
  std::size_t unsealed = 0;        // thread chunks without a checksum
  std::size_t open = 0;            // threads in which an interval was open at the end
  std::vector<std::string> faults; // what must never be: damage, children longer than their parent, ..
};

struct RunFacts {
  std::vector<FileFacts> files; // in order of pid
  [[nodiscard]] std::size_t intervals() const;
  [[nodiscard]] std::size_t cuts() const;
  [[nodiscard]] std::size_t open() const;
  [[nodiscard]] PathFacts path(const Path &path) const;
  [[nodiscard]] std::vector<std::string> faults() const;
};

RunFacts read_run(const std::string &folder);

} // namespace vprof::runtime

#endif
