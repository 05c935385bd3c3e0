#include "interval_values.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace vprof::vtree {
namespace {

constexpr std::uint32_t root_context = 0;

/// `value` if it may enter a sum.
bool narrow(Int128 value, FixedNs &result) {
  if (value > max_fixed_ns || value < -max_fixed_ns)
    return false;
  result = static_cast<FixedNs>(value);
  return true;
}

bool to_fixed(std::uint64_t ticks, const FileScale &scale, FixedNs &result) {
  const double units = static_cast<double>(ticks) * scale.units_per_tick;
  if (units > static_cast<double>(max_fixed_ns))
    return false;
  result = std::llround(units);
  return true;
}

} // namespace

FileScale file_scale(const TraceFile &file, bool subtract_probe_cost) {
  FileScale scale;
  scale.units_per_tick = file.ns_per_tick() * units_per_ns;
  if (!subtract_probe_cost)
    return scale;
  // 1/256 ticks times ns per tick are 1/256 ns. The reader has checked that they are small.
  scale.pair_cost = std::llround(static_cast<double>(file.header().probe_cost_ticks_q8) * file.ns_per_tick());
  scale.inside_cost =
      std::llround(static_cast<double>(file.header().probe_inside_ticks_q8) * file.ns_per_tick());
  return scale;
}

bool IntervalValues::load(const RunInterval &interval, const FileScale &scale) {
  ++epoch_;
  touched_.clear();
  slots_.resize(contexts_->nodes().size());
  Slot &root = touch(root_context);
  if (!to_fixed(interval.duration_ticks, scale, root.value))
    return false;
  root.calls = interval.invocations;
  for (const ContextEntry &entry : interval.entries)
    if (!add_entry(entry, scale))
      return false;
  // A context's number is greater than its parent's.
  std::sort(touched_.begin(), touched_.end(), std::greater<>());
  for (const std::uint32_t context : touched_)
    if (!settle(context, scale))
      return false;
  return true;
}

IntervalValues::Slot &IntervalValues::touch(std::uint32_t context) {
  Slot &slot = slots_[context];
  if (slot.epoch == epoch_)
    return slot;
  slot = Slot{};
  slot.epoch = epoch_;
  touched_.push_back(context);
  if (context != root_context)
    touch(contexts_->nodes()[context].parent);
  return slot;
}

bool IntervalValues::add_entry(const ContextEntry &entry, const FileScale &scale) {
  if (entry.ref.folded) {
    touch(entry.ref.context).calls_below += entry.count;
    return true;
  }
  if (entry.ref.context == root_context) // the record's duration and invocations say the same
    return true;
  Slot &slot = touch(entry.ref.context);
  FixedNs time = 0;
  if (!to_fixed(entry.ticks, scale, time))
    return false;
  slot.calls += entry.count;
  return narrow(static_cast<Int128>(slot.value) + time, slot.value);
}

/// Takes the probe cost out of a context whose children are settled, and gives its part to its parent.
bool IntervalValues::settle(std::uint32_t context, const FileScale &scale) {
  Slot &slot = slots_[context];
  const Int128 cost = static_cast<Int128>(slot.calls) * scale.inside_cost +
                      static_cast<Int128>(slot.calls_below) * scale.pair_cost;
  // Until here, remainder and remainder_cost hold minus the children's sums.
  const bool fits = narrow(cost, slot.cost) && narrow(slot.value - cost, slot.value) &&
                    narrow(static_cast<Int128>(slot.remainder) + slot.value, slot.remainder) &&
                    narrow(static_cast<Int128>(slot.remainder_cost) + slot.cost, slot.remainder_cost);
  if (!fits || context == root_context)
    return fits;
  Slot &parent = slots_[contexts_->nodes()[context].parent];
  parent.calls_below += slot.calls + slot.calls_below;
  return narrow(static_cast<Int128>(parent.remainder) - slot.value, parent.remainder) &&
         narrow(static_cast<Int128>(parent.remainder_cost) - slot.cost, parent.remainder_cost);
}

} // namespace vprof::vtree
