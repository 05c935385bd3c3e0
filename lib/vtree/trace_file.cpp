// Opening a trace file: its header, and where its chunks are.
#include "trace_reader_internal.h"

#include "vprof/vtree/error.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>
#include <utility>

namespace vprof::vtree {
namespace {

constexpr std::size_t max_damage_messages = 8;

std::string hex_bytes(llvm::StringRef bytes) {
  std::string text;
  for (const char byte : bytes)
    text += fmt::format("{}{:02x}", text.empty() ? "" : " ", static_cast<unsigned char>(byte));
  return text;
}

bool all_zero(llvm::StringRef bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char byte) { return byte == 0; });
}

/// Why a chunk header cannot be believed, or empty.
std::string bad_chunk_field(const vprof_chunk_header &header) {
  if (header.magic != VPROF_CHUNK_MAGIC)
    return fmt::format("magic is {:#x}, {:#x} expected", header.magic, VPROF_CHUNK_MAGIC);
  if (header.kind != VPROF_CHUNK_THREAD && header.kind != VPROF_CHUNK_MODULES)
    return fmt::format("kind is {}", header.kind);
  if (header.length == 0 || header.length % VPROF_TRACE_UNIT != 0)
    return fmt::format("length is {}, a multiple of {} expected", header.length, VPROF_TRACE_UNIT);
  if (header.committed > header.length - sizeof header)
    return fmt::format("committed is {} in a chunk of {} bytes", header.committed, header.length);
  return "";
}

vprof_chunk_header chunk_header_at(llvm::StringRef bytes, std::uint64_t offset) {
  vprof_chunk_header header;
  std::memcpy(&header, bytes.data() + offset, sizeof header);
  return header;
}

} // namespace

void Damage::add(std::string message, std::uint64_t skipped_bytes) {
  ++chunks;
  bytes += skipped_bytes;
  if (messages.size() < max_damage_messages)
    messages.push_back(std::move(message));
}

Damage &Damage::operator+=(const Damage &other) {
  chunks += other.chunks;
  intervals += other.intervals;
  bytes += other.bytes;
  for (const std::string &message : other.messages)
    if (messages.size() < max_damage_messages)
      messages.push_back(message);
  return *this;
}

llvm::Expected<TraceFile> TraceFile::open(const std::string &path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> bytes =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!bytes)
    return bad_input("cannot read {}: {}", path, bytes.getError().message());
  return parse(std::move(*bytes), path);
}

llvm::Expected<TraceFile> TraceFile::parse(std::unique_ptr<llvm::MemoryBuffer> bytes, std::string name) {
  TraceFile file;
  file.bytes_ = std::move(bytes);
  file.name_ = std::move(name);
  file.size_bytes_ = file.bytes_->getBufferSize();
  if (llvm::Error error = file.read_header())
    return error;
  if (!file.blank_)
    file.read_chunks();
  return file;
}

llvm::Error TraceFile::read_header() {
  const llvm::StringRef bytes = bytes_->getBuffer();
  if (all_zero(bytes.take_front(VPROF_TRACE_HEADER_SIZE))) {
    blank_ = true;
    return llvm::Error::success();
  }
  std::memcpy(&header_, bytes.data(), std::min(bytes.size(), sizeof header_));
  if (bytes.size() < 8 || header_.magic_low != VPROF_TRACE_MAGIC_LOW ||
      header_.magic_high != VPROF_TRACE_MAGIC_HIGH)
    return bad_input("{}: not a vprof trace: 'VPROFTRC' expected at byte 0, found {}", name_,
                     hex_bytes(bytes.take_front(8)));
  if (bytes.size() < VPROF_TRACE_HEADER_SIZE)
    return bad_input("{}: cut off at byte {}, inside the header of {} bytes", name_, bytes.size(),
                     VPROF_TRACE_HEADER_SIZE);
  if (header_.version != VPROF_TRACE_VERSION)
    return bad_input("{}: version at byte {} is {}, this vprof reads version {}", name_,
                     offsetof(vprof_file_header, version), header_.version, VPROF_TRACE_VERSION);
  if (header_.header_size != VPROF_TRACE_HEADER_SIZE)
    return bad_input("{}: header_size at byte {} is {}, {} expected", name_,
                     offsetof(vprof_file_header, header_size), header_.header_size, VPROF_TRACE_HEADER_SIZE);
  return read_clock();
}

llvm::Error TraceFile::read_clock() {
  if (header_.clock_source < VPROF_CLOCK_TSC || header_.clock_source > VPROF_CLOCK_MONOTONIC)
    return bad_input("{}: clock_source at byte {} is {}, 1 to 3 expected", name_,
                     offsetof(vprof_file_header, clock_source), header_.clock_source);
  if (header_.clock_source == VPROF_CLOCK_MONOTONIC) {
    ns_per_tick_ = 1.0;
    return check_probe_cost();
  }
  const std::uint64_t ticks = header_.last_ticks - header_.first_ticks;
  const std::uint64_t ns = header_.last_monotonic_ns - header_.first_monotonic_ns;
  const bool forwards = header_.last_ticks > header_.first_ticks && ns < std::uint64_t{1} << 62;
  ns_per_tick_ = forwards ? static_cast<double>(ns) / static_cast<double>(ticks) : 0.0;
  if (ns_per_tick_ < min_ns_per_tick || ns_per_tick_ > max_ns_per_tick)
    return bad_input("{}: last_ticks at byte {} gives no clock rate: {} ticks in {} ns", name_,
                     offsetof(vprof_file_header, last_ticks), ticks, ns);
  return check_probe_cost();
}

llvm::Error TraceFile::check_probe_cost() const {
  const double cost_ns =
      static_cast<double>(std::max(header_.probe_cost_ticks_q8, header_.probe_inside_ticks_q8)) / 256 *
      ns_per_tick_;
  if (cost_ns > max_probe_cost_ns)
    return bad_input("{}: probe_cost_ticks_q8 at byte {} is {} ns for one probe, at most {} ns expected",
                     name_, offsetof(vprof_file_header, probe_cost_ticks_q8), cost_ns, max_probe_cost_ns);
  return llvm::Error::success();
}

// Space that was handed out to a thread that was killed before it wrote a chunk header is zero: not damage.
void TraceFile::read_chunks() {
  const llvm::StringRef bytes = bytes_->getBuffer();
  std::uint64_t offset = VPROF_TRACE_HEADER_SIZE;
  bool in_step = true; // the chunk before, if any, said that one begins here
  while (offset + sizeof(vprof_chunk_header) <= bytes.size()) {
    const vprof_chunk_header header = chunk_header_at(bytes, offset);
    if (header.magic == 0) {
      offset += VPROF_TRACE_UNIT;
      continue;
    }
    const std::string reason = bad_chunk_field(header);
    if (!reason.empty()) {
      if (in_step)
        damage_.add(fmt::format("{}: chunk at byte {}: {}", name_, offset, reason), 0);
      in_step = false;
      damage_.bytes += VPROF_TRACE_UNIT;
      offset += VPROF_TRACE_UNIT;
      continue;
    }
    in_step = true;
    place_chunk(offset);
    offset += header.length;
  }
  for (ThreadView &thread : threads_) {
    std::sort(thread.chunks.begin(), thread.chunks.end(), [](const ChunkView &a, const ChunkView &b) {
      return std::tie(a.header.sequence, a.offset) < std::tie(b.header.sequence, b.offset);
    });
    thread.open_ticks = thread.chunks.back().header.open_ticks;
  }
}

void TraceFile::place_chunk(std::uint64_t offset) {
  const llvm::StringRef bytes = bytes_->getBuffer();
  const std::uint64_t payload_offset = offset + sizeof(vprof_chunk_header);
  ChunkView chunk;
  // A live writer may seal the chunk between our reading of `committed` and of `crc`: look twice.
  for (int attempt = 0; attempt < 2; ++attempt) {
    chunk.header = chunk_header_at(bytes, offset);
    chunk.payload = bytes.substr(payload_offset, chunk.header.committed);
    chunk.good = chunk.header.crc == 0 || crc32c(chunk.payload) == chunk.header.crc;
    if (chunk.good)
      break;
  }
  chunk.offset = offset;
  if (chunk.payload.size() < chunk.header.committed)
    damage_.add(fmt::format("{}: chunk at byte {}: the file ends at byte {}, {} committed bytes are missing",
                            name_, offset, bytes.size(), chunk.header.committed - chunk.payload.size()),
                chunk.header.committed - chunk.payload.size());
  else if (!chunk.good)
    damage_.add(fmt::format("{}: chunk at byte {}: crc is {:#x}, the payload's is {:#x}", name_, offset,
                            chunk.header.crc, crc32c(chunk.payload)),
                chunk.payload.size());
  if (chunk.header.kind == VPROF_CHUNK_MODULES) {
    if (chunk.good)
      modules_.push_back(chunk.payload);
    return;
  }
  const auto same_thread = [&](const ThreadView &thread) {
    return thread.index == chunk.header.thread_index;
  };
  auto thread = std::find_if(threads_.rbegin(), threads_.rend(), same_thread);
  if (thread != threads_.rend()) {
    thread->chunks.push_back(chunk);
    return;
  }
  threads_.push_back({chunk.header.thread_index, chunk.header.thread_id, {chunk}, 0});
}

std::string TraceFile::executable() const {
  const llvm::StringRef field(header_.executable, sizeof header_.executable);
  return field.take_until([](char byte) { return byte == 0; }).str();
}

std::int64_t TraceFile::monotonic_ns(std::uint64_t ticks) const {
  const double since_first_ns =
      static_cast<double>(static_cast<std::int64_t>(ticks - header_.first_ticks)) * ns_per_tick_;
  const double bounded = std::clamp(since_first_ns, -4e18, 4e18);
  const std::uint64_t first_ns = std::min(header_.first_monotonic_ns, std::uint64_t{1} << 62);
  return static_cast<std::int64_t>(first_ns) + std::llround(bounded);
}

} // namespace vprof::vtree
