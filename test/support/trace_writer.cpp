#include "trace_writer.h"

#include <cstring>
#include <fstream>

namespace vprof::test {
namespace {

template <class Header>
std::string bytes_of(const Header &header) {
  std::string bytes(sizeof header, '\0');
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

std::string padded(std::string bytes) {
  const std::size_t units = (bytes.size() + VPROF_TRACE_UNIT - 1) / VPROF_TRACE_UNIT;
  bytes.resize(units * VPROF_TRACE_UNIT, '\0');
  return bytes;
}

} // namespace

std::uint32_t reference_crc32c(const std::string &bytes) {
  std::uint32_t crc = 0xffffffffu;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit)
      crc = (crc & 1u) != 0 ? (crc >> 1) ^ 0x82f63b78u : crc >> 1;
  }
  return ~crc;
}

ChunkWriter &ChunkWriter::number(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    payload_.push_back(static_cast<char>((value & 0x7f) | 0x80));
  payload_.push_back(static_cast<char>(value));
  return *this;
}

ChunkWriter &ChunkWriter::signed_number(std::int64_t value) {
  return number((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
}

ChunkWriter &ChunkWriter::start(std::uint64_t start_ticks) {
  const std::uint64_t before = previous_start_;
  previous_start_ = start_ticks;
  return signed_number(static_cast<std::int64_t>(start_ticks - before));
}

ChunkWriter &ChunkWriter::node(std::uint32_t parent, std::uint32_t probe, std::uint64_t return_address,
                               std::uint64_t probe_address) {
  return number(VPROF_RECORD_NODE).number(parent).number(probe).number(return_address).number(probe_address);
}

ChunkWriter &ChunkWriter::interval(std::uint64_t start_ticks, std::uint64_t duration_ticks,
                                   const std::vector<EntrySpec> &entries, std::uint64_t invocations) {
  number(VPROF_RECORD_INTERVAL).number(0).start(start_ticks);
  number(duration_ticks).number(invocations).number(entries.size());
  std::uint32_t before = 0;
  for (const EntrySpec &entry : entries) {
    signed_number(static_cast<std::int64_t>(entry.node) - static_cast<std::int64_t>(before));
    number(entry.count).number(entry.ticks);
    before = entry.node;
  }
  return *this;
}

ChunkWriter &ChunkWriter::cut(std::uint64_t reason, std::uint64_t start_ticks, std::uint64_t elapsed_ticks) {
  return number(VPROF_RECORD_CUT).number(reason).start(start_ticks).number(elapsed_ticks);
}

ChunkWriter &ChunkWriter::raw(const std::string &bytes) {
  payload_ += bytes;
  return *this;
}

ChunkWriter &ChunkWriter::open(std::uint64_t start_ticks) {
  header_.open_ticks = start_ticks;
  return *this;
}

ChunkWriter &ChunkWriter::seal() {
  header_.crc = reference_crc32c(payload_);
  return *this;
}

std::string ChunkWriter::bytes() const {
  vprof_chunk_header header = header_;
  header.committed = static_cast<vprof_u32>(payload_.size());
  const std::string unpadded = bytes_of(header) + payload_;
  header.length = static_cast<vprof_u32>(padded(unpadded).size());
  return padded(bytes_of(header) + payload_);
}

TraceWriter::TraceWriter(std::uint64_t plan, std::uint32_t root_id, std::uint32_t pid) : header{} {
  header.magic_low = VPROF_TRACE_MAGIC_LOW;
  header.magic_high = VPROF_TRACE_MAGIC_HIGH;
  header.version = VPROF_TRACE_VERSION;
  header.header_size = VPROF_TRACE_HEADER_SIZE;
  header.plan = plan;
  header.pid = pid;
  header.clock_source = VPROF_CLOCK_MONOTONIC;
  header.root_id = root_id;
  header.last_ticks = 1'000'000;
  header.last_monotonic_ns = 1'000'000;
}

ChunkWriter &TraceWriter::chunk(std::uint32_t thread_index, std::uint32_t thread_id,
                                std::uint64_t base_ticks) {
  if (thread_index >= sequences_.size())
    sequences_.resize(thread_index + 1, 0);
  vprof_chunk_header start{};
  start.magic = VPROF_CHUNK_MAGIC;
  start.kind = VPROF_CHUNK_THREAD;
  start.sequence = sequences_[thread_index]++;
  start.thread_id = thread_id;
  start.thread_index = thread_index;
  start.base_ticks = base_ticks;
  chunks_.emplace_back(start);
  return chunks_.back();
}

TraceWriter &TraceWriter::modules(const std::string &maps_text) {
  vprof_chunk_header start{};
  start.magic = VPROF_CHUNK_MAGIC;
  start.kind = VPROF_CHUNK_MODULES;
  chunks_.emplace_back(start);
  chunks_.back().raw(maps_text);
  return *this;
}

std::string TraceWriter::bytes() const {
  std::string bytes = padded(bytes_of(header));
  for (const ChunkWriter &chunk : chunks_)
    bytes += chunk.bytes();
  return bytes;
}

bool TraceWriter::save(const std::string &path) const {
  std::ofstream file(path, std::ios::binary);
  const std::string content = bytes();
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  return static_cast<bool>(file.flush());
}

} // namespace vprof::test
