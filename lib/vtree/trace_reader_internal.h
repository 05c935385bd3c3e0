// What the two halves of the trace reader share: trace_file.cpp finds the chunks, trace_reader.cpp reads
// their records.
#ifndef VPROF_VTREE_TRACE_READER_INTERNAL_H
#define VPROF_VTREE_TRACE_READER_INTERNAL_H

#include "vprof/vtree/trace_reader.h"

namespace vprof::vtree {

/// Clock rates outside this range mean a damaged header. Slowest counter in use: 1 MHz.
inline constexpr double min_ns_per_tick = 1e-3;
inline constexpr double max_ns_per_tick = 1e5;

/// A calibrated probe cost above this means a damaged header.
inline constexpr double max_probe_cost_ns = 1e6;

/// Most calls of one node in one interval that are believed.
inline constexpr std::uint64_t max_calls = std::uint64_t{1} << 44;

/// CRC-32C (Castagnoli, reflected, as in SSE 4.2 and RFC 3720).
std::uint32_t crc32c(llvm::StringRef bytes);

} // namespace vprof::vtree

#endif
