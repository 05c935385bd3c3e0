// Records of one thread, chunk after chunk.
#include "trace_reader_internal.h"

#include <fmt/format.h>

namespace vprof::vtree {

ThreadReader::ThreadReader(const TraceFile &file, const ThreadView &thread)
    : file_(&file), thread_(&thread) {}

std::optional<Record> ThreadReader::next() {
  for (;;) {
    if (position_ >= payload_.size() && !enter_next_chunk())
      return std::nullopt;
    if (position_ >= payload_.size())
      continue;
    record_start_ = position_;
    Record record;
    switch (read_record(record)) {
    case Step::record:
      return record;
    case Step::skip:
      break;
    case Step::bad:
      give_up_chunk(field_);
      break;
    }
  }
}

bool ThreadReader::enter_next_chunk() {
  if (next_chunk_ == thread_->chunks.size())
    return false;
  const ChunkView &chunk = thread_->chunks[next_chunk_++];
  // A chunk that is missing or unusable may have defined nodes; one that comes twice cannot be told from it.
  if (chunk.header.sequence != expected_sequence_ || !chunk.good)
    nodes_lost_ = true;
  expected_sequence_ = chunk.header.sequence + 1;
  payload_ = chunk.good ? chunk.payload : llvm::StringRef();
  payload_offset_ = chunk.offset + sizeof(vprof_chunk_header);
  position_ = 0;
  previous_start_ticks_ = chunk.header.base_ticks;
  return true;
}

void ThreadReader::give_up_chunk(llvm::StringRef what) {
  damage_.add(fmt::format("{}: record at byte {}: {} at byte {} is out of range or cut off", file_->name(),
                          payload_offset_ + record_start_, what.str(), payload_offset_ + position_),
              payload_.size() - record_start_);
  nodes_lost_ = true;
  position_ = payload_.size();
}

ThreadReader::Step ThreadReader::read_record(Record &record) {
  const std::uint8_t type = static_cast<std::uint8_t>(payload_[position_]);
  switch (type) {
  case VPROF_RECORD_NODE:
    ++position_;
    return read_node(record);
  case VPROF_RECORD_INTERVAL:
    ++position_;
    return read_interval(record);
  case VPROF_RECORD_CUT:
    ++position_;
    return read_cut(record);
  default:
    field_ = "type";
    return Step::bad;
  }
}

ThreadReader::Step ThreadReader::read_node(Record &record) {
  std::uint64_t parent = 0;
  std::uint64_t probe_id = 0;
  NodeRecord node;
  if (!read_unsigned("parent_node", parent) || !read_unsigned("probe_id", probe_id) ||
      !read_unsigned("return_address", node.return_address) ||
      !read_unsigned("probe_address", node.probe_address))
    return Step::bad;
  if (nodes_lost_)
    return Step::skip;
  if (parent > nodes_ || probe_id > UINT32_MAX || nodes_ == UINT32_MAX) {
    field_ = parent > nodes_ ? "parent_node" : "probe_id";
    return Step::bad;
  }
  node.id = ++nodes_;
  node.parent = static_cast<std::uint32_t>(parent);
  node.probe_id = static_cast<std::uint32_t>(probe_id);
  record = node;
  return Step::record;
}

ThreadReader::Step ThreadReader::read_interval(Record &record) {
  IntervalRecord interval;
  std::int64_t start_delta = 0;
  std::uint64_t entries = 0;
  if (!read_unsigned("flags", interval.flags) || !read_signed("start_delta", start_delta) ||
      !read_unsigned("duration_ticks", interval.duration_ticks, max_duration_ticks) ||
      !read_unsigned("invocations", interval.invocations, max_calls) ||
      !read_unsigned("entries", entries, (payload_.size() - position_) / 3))
    return Step::bad;
  bool known = true;
  if (!read_entries(entries, known))
    return Step::bad;
  interval.start_ticks = previous_start_ticks_ + static_cast<std::uint64_t>(start_delta);
  previous_start_ticks_ = interval.start_ticks;
  if (!known) {
    ++damage_.intervals;
    return Step::skip;
  }
  interval.entries = entries_;
  record = interval;
  return Step::record;
}

/// `known` becomes false if an entry names a node whose definition was lost.
bool ThreadReader::read_entries(std::uint64_t count, bool &known) {
  entries_.clear();
  std::uint64_t node = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    IntervalEntry entry;
    std::int64_t node_delta = 0;
    if (!read_signed("node_delta", node_delta))
      return false;
    node += static_cast<std::uint64_t>(node_delta);
    field_ = "node_delta";
    if (node == 0 || node > UINT32_MAX || (node > nodes_ && !nodes_lost_))
      return false;
    known = known && node <= nodes_;
    if (!read_unsigned("count", entry.count, max_calls) ||
        !read_unsigned("total_ticks", entry.ticks, max_duration_ticks))
      return false;
    entry.node = static_cast<std::uint32_t>(node);
    entries_.push_back(entry);
  }
  return true;
}

ThreadReader::Step ThreadReader::read_cut(Record &record) {
  CutRecord cut;
  std::int64_t start_delta = 0;
  if (!read_unsigned("reason", cut.reason) || !read_signed("start_delta", start_delta) ||
      !read_unsigned("elapsed_ticks", cut.elapsed_ticks, max_duration_ticks))
    return Step::bad;
  cut.start_ticks = previous_start_ticks_ + static_cast<std::uint64_t>(start_delta);
  previous_start_ticks_ = cut.start_ticks;
  record = cut;
  return Step::record;
}

bool ThreadReader::read_unsigned(const char *field, std::uint64_t &value, std::uint64_t limit) {
  field_ = field;
  value = 0;
  std::size_t position = position_;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (position == payload_.size())
      return false;
    const std::uint64_t byte = static_cast<std::uint8_t>(payload_[position++]);
    const std::uint64_t bits = byte & 0x7f;
    if (shift == 63 && bits > 1)
      return false;
    value |= bits << shift;
    if ((byte & 0x80) != 0)
      continue;
    if (value > limit)
      return false;
    position_ = position;
    return true;
  }
  return false;
}

bool ThreadReader::read_signed(const char *field, std::int64_t &value) {
  std::uint64_t coded = 0;
  if (!read_unsigned(field, coded))
    return false;
  value = static_cast<std::int64_t>((coded >> 1) ^ (~(coded & 1) + 1));
  return true;
}

} // namespace vprof::vtree
