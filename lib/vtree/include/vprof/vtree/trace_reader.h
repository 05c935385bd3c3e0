// Trace files -> validated records. The format is lib/runtime's vprof/trace_format.h.
//
// Nothing in a file is trusted. A file that is not ours, or of a version we do not know, is an error. Inside
// a file of ours, what is whole is used and what is not is counted: a chunk whose header, checksum or record
// is bad is given up from there on. A lost chunk may have defined nodes, and nodes are numbered by their
// order, so after a loss new node numbers of that thread have no meaning: intervals that use only nodes
// defined before the loss still count, the others are counted as damaged.
#ifndef VPROF_VTREE_TRACE_READER_H
#define VPROF_VTREE_TRACE_READER_H

#include "vprof/trace_format.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace vprof::vtree {

/// Longest duration that is believed, in ticks (2^54: about 70 days at 3 GHz). More is a damaged record.
inline constexpr std::uint64_t max_duration_ticks = std::uint64_t{1} << 54;

struct NodeRecord {
  std::uint32_t id = 0;     // number of the node in its thread, from 1
  std::uint32_t parent = 0; // 0: the node is a root
  std::uint32_t probe_id = 0;
  std::uint64_t return_address = 0;
  std::uint64_t probe_address = 0;
};

struct IntervalEntry {
  std::uint32_t node = 0;
  std::uint64_t count = 0;
  std::uint64_t ticks = 0; // inclusive
};

struct IntervalRecord {
  std::uint64_t flags = 0;
  std::uint64_t start_ticks = 0;
  std::uint64_t duration_ticks = 0;
  std::uint64_t invocations = 0;
  llvm::ArrayRef<IntervalEntry> entries; // valid until the next call of ThreadReader::next
};

struct CutRecord {
  std::uint64_t reason = 0; // vprof_cut_reason
  std::uint64_t start_ticks = 0;
  std::uint64_t elapsed_ticks = 0;
};

using Record = std::variant<NodeRecord, IntervalRecord, CutRecord>;

/// What could not be used of a file or a thread.
struct Damage {
  std::uint64_t chunks = 0;          // given up in whole or in part
  std::uint64_t intervals = 0;       // whole, but with nodes whose definition was lost
  std::uint64_t bytes = 0;           // skipped
  std::vector<std::string> messages; // the first few, each naming file, field and byte offset

  void add(std::string message, std::uint64_t skipped_bytes);
  Damage &operator+=(const Damage &other);
};

/// A chunk as it lies in the file; header values are a copy taken once, so that a live writer cannot change
/// them.
struct ChunkView {
  vprof_chunk_header header{};
  std::uint64_t offset = 0; // of the chunk in the file
  llvm::StringRef payload;  // the committed part
  bool good = true;         // false: checksum wrong; payload is not to be used
};

struct ThreadView {
  std::uint32_t index = 0; // unique within the file
  std::uint32_t thread_id = 0;
  std::vector<ChunkView> chunks; // by sequence
  std::uint64_t open_ticks = 0;  // start of the interval that was open when the trace ended, 0 if none
};

/// One trace file, mapped. Movable.
class TraceFile {
public:
  /// Errors: cannot be read; not a trace ("VPROFTRC" expected, the bytes found are named); another version; a
  /// header field out of range. An empty file, or one whose header page is still all zero (the process ended
  /// before its first interval), is not an error: blank() is true and there are no threads.
  static llvm::Expected<TraceFile> open(const std::string &path);
  /// The same from bytes in memory (tests, fuzzing). `name` is what messages call it.
  static llvm::Expected<TraceFile> parse(std::unique_ptr<llvm::MemoryBuffer> bytes, std::string name);

  [[nodiscard]] const std::string &name() const { return name_; }
  [[nodiscard]] bool blank() const { return blank_; }
  [[nodiscard]] const vprof_file_header &header() const { return header_; }
  [[nodiscard]] std::string executable() const;
  [[nodiscard]] llvm::ArrayRef<ThreadView> threads() const { return threads_; }
  /// Text of the module lists, in the order written: executable lines of /proc/PID/maps.
  [[nodiscard]] llvm::ArrayRef<llvm::StringRef> module_lists() const { return modules_; }
  /// Chunks that could not be used at all. Damage inside chunks is found while reading records.
  [[nodiscard]] const Damage &damage() const { return damage_; }
  [[nodiscard]] std::uint64_t size_bytes() const { return size_bytes_; }

  [[nodiscard]] double ns_per_tick() const { return ns_per_tick_; }
  /// CLOCK_MONOTONIC of a tick count, ns; before the file's first reading it counts backwards from there.
  [[nodiscard]] std::int64_t monotonic_ns(std::uint64_t ticks) const;

private:
  llvm::Error read_header();
  llvm::Error read_clock();
  llvm::Error check_probe_cost() const;
  void read_chunks();
  void place_chunk(std::uint64_t offset);

  std::unique_ptr<llvm::MemoryBuffer> bytes_;
  std::string name_;
  vprof_file_header header_{};
  std::vector<ThreadView> threads_;
  std::vector<llvm::StringRef> modules_;
  Damage damage_;
  std::uint64_t size_bytes_ = 0;
  double ns_per_tick_ = 1.0;
  bool blank_ = false;
};

/// Streams the records of one thread across its chunks. Deterministic: two readers give the same records.
class ThreadReader {
public:
  ThreadReader(const TraceFile &file, const ThreadView &thread);

  /// The next good record, or none at the end. Never fails: what is bad is skipped and counted in damage().
  std::optional<Record> next();
  [[nodiscard]] const Damage &damage() const { return damage_; }

private:
  enum class Step { record, skip, bad };
  bool enter_next_chunk();
  void give_up_chunk(llvm::StringRef what);
  Step read_record(Record &record);
  Step read_node(Record &record);
  Step read_interval(Record &record);
  Step read_cut(Record &record);
  bool read_entries(std::uint64_t count, bool &known);
  bool read_unsigned(const char *field, std::uint64_t &value, std::uint64_t limit = UINT64_MAX);
  bool read_signed(const char *field, std::int64_t &value);

  const TraceFile *file_;
  const ThreadView *thread_;
  std::size_t next_chunk_ = 0;
  std::uint32_t expected_sequence_ = 0;
  llvm::StringRef payload_;
  std::size_t position_ = 0;
  std::size_t record_start_ = 0;
  std::uint64_t payload_offset_ = 0; // of payload_ in the file
  std::uint64_t previous_start_ticks_ = 0;
  std::uint32_t nodes_ = 0; // defined so far
  bool nodes_lost_ = false; // a chunk was lost: node numbers above nodes_ have no meaning
  const char *field_ = "";  // the field read last
  std::vector<IntervalEntry> entries_;
  Damage damage_;
};

} // namespace vprof::vtree

#endif
