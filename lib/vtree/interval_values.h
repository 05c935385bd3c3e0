// One interval as times: ticks become units of 1/256 ns, and the cost of the probes is taken out.
#ifndef VPROF_VTREE_INTERVAL_VALUES_H
#define VPROF_VTREE_INTERVAL_VALUES_H

#include "vprof/vtree/exact_sum.h"
#include "vprof/vtree/run_walk.h"

#include <cstdint>
#include <vector>

namespace vprof::vtree {

/// How a file's ticks become times.
struct FileScale {
  double units_per_tick = units_per_ns;
  FixedNs pair_cost = 0;   // of one enter/leave pair
  FixedNs inside_cost = 0; // the part of it that the node itself measures
};

/// Without `subtract_probe_cost` the costs are 0.
FileScale file_scale(const TraceFile &file, bool subtract_probe_cost);

/// Values per context. A context is touched if it or one below it was called. Inclusive times have
/// inside_cost x own calls and pair_cost x calls below taken out.
class IntervalValues {
public:
  explicit IntervalValues(const ContextTree &contexts) : contexts_(&contexts) {}

  /// Replaces what was loaded before. False if a time is too large to be true: the interval is damaged.
  bool load(const RunInterval &interval, const FileScale &scale);

  /// Children before parents; the root is the last.
  [[nodiscard]] const std::vector<std::uint32_t> &touched() const { return touched_; }
  [[nodiscard]] FixedNs value(std::uint32_t context) const { return slots_[context].value; }
  [[nodiscard]] FixedNs cost(std::uint32_t context) const { return slots_[context].cost; }
  [[nodiscard]] std::uint64_t calls(std::uint32_t context) const { return slots_[context].calls; }
  /// What the context's time is more than that of its children, and the probe cost that was taken out of it.
  [[nodiscard]] FixedNs remainder(std::uint32_t context) const { return slots_[context].remainder; }
  [[nodiscard]] FixedNs remainder_cost(std::uint32_t context) const { return slots_[context].remainder_cost; }

private:
  struct Slot {
    std::uint64_t epoch = 0; // of the load that touched it last
    std::uint64_t calls = 0;
    std::uint64_t calls_below = 0;
    FixedNs value = 0;
    FixedNs cost = 0;
    FixedNs remainder = 0;
    FixedNs remainder_cost = 0;
  };

  Slot &touch(std::uint32_t context);
  bool add_entry(const ContextEntry &entry, const FileScale &scale);
  bool settle(std::uint32_t context, const FileScale &scale);

  const ContextTree *contexts_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> touched_;
  std::uint64_t epoch_ = 0;
};

} // namespace vprof::vtree

#endif
