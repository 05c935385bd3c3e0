// Writes trace files for tests, record by record, as the runtime would; or not quite, where a test wants
// damage.
#ifndef VPROF_TEST_TRACE_WRITER_H
#define VPROF_TEST_TRACE_WRITER_H

#include "vprof/trace_format.h"

#include <cstdint>
#include <string>
#include <vector>

namespace vprof::test {

struct EntrySpec {
  std::uint32_t node = 0;
  std::uint64_t count = 1;
  std::uint64_t ticks = 0;
};

/// Bytes of one chunk. Chunks of a thread number themselves through TraceWriter.
class ChunkWriter {
public:
  explicit ChunkWriter(vprof_chunk_header header) : header_(header), previous_start_(header.base_ticks) {}

  ChunkWriter &node(std::uint32_t parent, std::uint32_t probe, std::uint64_t return_address = 0x1000,
                    std::uint64_t probe_address = 0x2000);
  /// Without `entries` for the root's node it is up to the caller to list it, as the runtime does.
  ChunkWriter &interval(std::uint64_t start_ticks, std::uint64_t duration_ticks,
                        const std::vector<EntrySpec> &entries, std::uint64_t invocations = 1);
  ChunkWriter &cut(std::uint64_t reason, std::uint64_t start_ticks, std::uint64_t elapsed_ticks);
  ChunkWriter &raw(const std::string &bytes);
  ChunkWriter &open(std::uint64_t start_ticks);
  /// Stores the checksum; more records cannot follow.
  ChunkWriter &seal();
  [[nodiscard]] bool sealed() const { return header_.crc != 0; }

  /// Header, payload and padding up to a multiple of VPROF_TRACE_UNIT.
  [[nodiscard]] std::string bytes() const;

private:
  ChunkWriter &number(std::uint64_t value);
  ChunkWriter &signed_number(std::int64_t value);
  ChunkWriter &start(std::uint64_t start_ticks);

  vprof_chunk_header header_;
  std::uint64_t previous_start_;
  std::string payload_;
};

class TraceWriter {
public:
  /// One tick is one nanosecond unless `header` is changed; the clock is CLOCK_MONOTONIC.
  explicit TraceWriter(std::uint64_t plan = 1, std::uint32_t root_id = 1, std::uint32_t pid = 100);

  vprof_file_header header;

  /// Begins the next chunk of a thread. The reference holds until the next call.
  ChunkWriter &chunk(std::uint32_t thread_index = 0, std::uint32_t thread_id = 0,
                     std::uint64_t base_ticks = 0);
  TraceWriter &modules(const std::string &maps_text);

  [[nodiscard]] std::string bytes() const;
  /// Writes bytes() to `path`; false if that fails.
  [[nodiscard]] bool save(const std::string &path) const;

private:
  std::vector<ChunkWriter> chunks_;
  std::vector<std::uint32_t> sequences_; // next of each thread
};

/// CRC-32C bit by bit, independent of the reader's.
std::uint32_t reference_crc32c(const std::string &bytes);

} // namespace vprof::test

#endif
