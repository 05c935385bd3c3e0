#include "vprof/vtree/trace_reader.h"

#include "run_builder.h"

#include <gtest/gtest.h>

#include <cstring>

namespace vprof::vtree {
namespace {

using test::TraceWriter;

std::string open_message(const std::string &bytes) {
  return test::message_of(TraceFile::parse(llvm::MemoryBuffer::getMemBufferCopy(bytes), "t.vpt"));
}

struct Read {
  std::vector<NodeRecord> nodes;
  std::vector<std::uint64_t> durations;
  std::vector<std::uint64_t> starts;
  std::vector<CutRecord> cuts;
  Damage damage;
};

Read read_all(const TraceFile &file) {
  Read read;
  for (const ThreadView &thread : file.threads()) {
    ThreadReader reader(file, thread);
    while (const std::optional<Record> record = reader.next()) {
      if (const auto *node = std::get_if<NodeRecord>(&*record)) {
        read.nodes.push_back(*node);
      } else if (const auto *interval = std::get_if<IntervalRecord>(&*record)) {
        read.durations.push_back(interval->duration_ticks);
        read.starts.push_back(interval->start_ticks);
      } else {
        read.cuts.push_back(std::get<CutRecord>(*record));
      }
    }
    read.damage += reader.damage();
  }
  return read;
}

TEST(TraceFile, EveryRecordComesBack) {
  TraceWriter writer(7, 3, 42);
  writer.chunk(0, 1000, 500)
      .node(0, 3)
      .node(1, 4, 0xdeadbeef00, 0xffffffffffffffff)
      .interval(600, 90, {{1, 1, 90}, {2, 5, UINT64_C(1) << 40}});
  writer.chunk(1, 1001, 0).node(0, 3).cut(VPROF_CUT_LONGJMP, 50, 7);
  writer.chunk(0, 1000, 700).interval(650, 10, {{1, 1, 10}}).open(9000).seal();
  const TraceFile file = test::parse_trace(writer);
  ASSERT_EQ(file.threads().size(), 2u);
  EXPECT_EQ(file.threads()[0].thread_id, 1000u);
  EXPECT_EQ(file.threads()[0].open_ticks, 9000u);
  EXPECT_EQ(file.threads()[1].open_ticks, 0u);
  EXPECT_EQ(file.header().pid, 42u);

  const Read read = read_all(file);
  ASSERT_EQ(read.nodes.size(), 3u);
  EXPECT_EQ(read.nodes[1].id, 2u);
  EXPECT_EQ(read.nodes[1].parent, 1u);
  EXPECT_EQ(read.nodes[1].return_address, 0xdeadbeef00u);
  EXPECT_EQ(read.nodes[1].probe_address, UINT64_MAX);
  EXPECT_EQ(read.durations, (std::vector<std::uint64_t>{90, 10}));
  EXPECT_EQ(read.starts, (std::vector<std::uint64_t>{600, 650})); // the second starts before its chunk's base
  ASSERT_EQ(read.cuts.size(), 1u);
  EXPECT_EQ(read.cuts[0].elapsed_ticks, 7u);
  EXPECT_EQ(read.damage.chunks, 0u);
}

TEST(TraceFile, ForeignAndDamagedHeaders) {
  EXPECT_EQ(open_message("\x7f"
                         "ELF\x02\x01\x01 and more"),
            "t.vpt: not a vprof trace: 'VPROFTRC' expected at byte 0, found 7f 45 4c 46 02 01 01 20");
  EXPECT_EQ(open_message("VPR"), "t.vpt: not a vprof trace: 'VPROFTRC' expected at byte 0, found 56 50 52");
  EXPECT_EQ(open_message("VPROFTRC"), "t.vpt: cut off at byte 8, inside the header of 4096 bytes");
  TraceWriter writer;
  writer.header.version = 2;
  EXPECT_EQ(open_message(writer.bytes()), "t.vpt: version at byte 8 is 2, this vprof reads version 1");
  writer = TraceWriter();
  writer.header.clock_source = VPROF_CLOCK_TSC;
  writer.header.last_ticks = 0;
  EXPECT_EQ(open_message(writer.bytes()),
            "t.vpt: last_ticks at byte 64 gives no clock rate: 0 ticks in 1000000 ns");
  writer = TraceWriter();
  writer.header.clock_source = 9;
  EXPECT_EQ(open_message(writer.bytes()), "t.vpt: clock_source at byte 32 is 9, 1 to 3 expected");
  writer = TraceWriter();
  writer.header.probe_cost_ticks_q8 = UINT64_MAX;
  EXPECT_NE(open_message(writer.bytes()).find("probe_cost_ticks_q8 at byte 80"), std::string::npos);
}

TEST(TraceFile, BlankIsNoError) {
  for (const std::string &bytes : {std::string(), std::string(4096, '\0'), std::string(100, '\0')}) {
    const TraceFile file = test::parse_trace(bytes);
    EXPECT_TRUE(file.blank());
    EXPECT_TRUE(file.threads().empty());
  }
}

TEST(TraceFile, ClockRate) {
  TraceWriter writer;
  writer.header.clock_source = VPROF_CLOCK_TSC;
  writer.header.first_ticks = 1000;
  writer.header.last_ticks = 4000;
  writer.header.first_monotonic_ns = 5000;
  writer.header.last_monotonic_ns = 6000;
  const TraceFile file = test::parse_trace(writer);
  EXPECT_DOUBLE_EQ(file.ns_per_tick(), 1.0 / 3);
  EXPECT_EQ(file.monotonic_ns(4000), 6000);
  EXPECT_EQ(file.monotonic_ns(700), 4900); // before the first reading
}

TEST(TraceFile, SpaceWithoutAChunkIsNoDamage) {
  TraceWriter writer;
  writer.chunk().node(0, 1).interval(1, 2, {{1, 1, 2}});
  const TraceFile file = test::parse_trace(writer.bytes() + std::string(8192, '\0'));
  EXPECT_EQ(file.damage().chunks, 0u);
  EXPECT_EQ(read_all(file).durations.size(), 1u);
}

TEST(TraceFile, WrongChunkHeaderIsPassedOver) {
  TraceWriter first;
  first.chunk(0).node(0, 1).interval(1, 2, {{1, 1, 2}});
  TraceWriter second;
  second.chunk(1).node(0, 1).interval(1, 3, {{1, 1, 3}});
  const std::string garbage(4096, 'x');
  const TraceFile file = test::parse_trace(first.bytes() + garbage + garbage + second.bytes().substr(4096));
  EXPECT_EQ(file.damage().chunks, 1u);
  EXPECT_EQ(file.damage().bytes, 8192u);
  ASSERT_EQ(file.damage().messages.size(), 1u);
  EXPECT_EQ(file.damage().messages[0],
            "test.vpt: chunk at byte 8192: magic is 0x78787878, 0x4b435056 expected");
  EXPECT_EQ(read_all(file).durations, (std::vector<std::uint64_t>{2, 3}));
}

TEST(TraceFile, ChecksumGuardsASealedChunk) {
  TraceWriter writer;
  writer.chunk(0).node(0, 1).interval(1, 2, {{1, 1, 2}}).seal();
  writer.chunk(0).node(1, 2).interval(5, 3, {{1, 1, 3}}).interval(9, 4, {{1, 1, 4}, {2, 1, 4}}).seal();
  std::string bytes = writer.bytes();
  EXPECT_EQ(read_all(test::parse_trace(bytes)).durations, (std::vector<std::uint64_t>{2, 3, 4}));

  // A lost first chunk takes the meaning of all node numbers with it.
  bytes[4096 + 64] ^= 1;
  const TraceFile file = test::parse_trace(bytes);
  EXPECT_EQ(file.damage().chunks, 1u);
  const Read read = read_all(file);
  EXPECT_TRUE(read.durations.empty());
  EXPECT_EQ(read.damage.intervals, 2u);

  // A lost second chunk leaves the first.
  bytes = writer.bytes();
  bytes[8192 + 64] ^= 1;
  EXPECT_EQ(read_all(test::parse_trace(bytes)).durations, (std::vector<std::uint64_t>{2}));
}

TEST(ThreadReader, AfterALossOldNodesStillCount) {
  TraceWriter writer;
  writer.chunk(0).node(0, 1).interval(1, 2, {{1, 1, 2}});
  writer.chunk(0).raw("\x09").node(1, 2);
  writer.chunk(0).node(1, 3).interval(5, 3, {{1, 1, 3}}).interval(9, 4, {{1, 1, 4}, {2, 1, 4}});
  const TraceFile file = test::parse_trace(writer);
  const Read read = read_all(file);
  EXPECT_EQ(read.durations, (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(read.nodes.size(), 1u);
  EXPECT_EQ(read.damage.chunks, 1u);
  EXPECT_EQ(read.damage.intervals, 1u);
  ASSERT_EQ(read.damage.messages.size(), 1u);
  EXPECT_EQ(read.damage.messages[0],
            "test.vpt: record at byte 8256: type at byte 8256 is out of range or cut off");
}

TEST(ThreadReader, MissingChunkIsALoss) {
  TraceWriter writer;
  writer.chunk(0).node(0, 1).interval(1, 2, {{1, 1, 2}});
  writer.chunk(0).node(1, 2);
  writer.chunk(0).interval(9, 4, {{1, 1, 4}, {2, 1, 4}});
  std::string bytes = writer.bytes();
  bytes.erase(8192, 4096);
  const Read read = read_all(test::parse_trace(bytes));
  EXPECT_EQ(read.durations, (std::vector<std::uint64_t>{2}));
  EXPECT_EQ(read.damage.intervals, 1u);
}

TEST(ThreadReader, BadFieldsAreRefused) {
  const auto damaged = [](const std::string &record) {
    TraceWriter writer;
    writer.chunk().node(0, 1).raw(record);
    const Read read = read_all(test::parse_trace(writer));
    return read.damage.messages.empty() ? std::string() : read.damage.messages.front();
  };
  const std::string at = "test.vpt: record at byte 4167: ";
  EXPECT_NE(damaged(std::string("\x01\x05\x01\x01\x01", 5)).find(at + "parent_node"), std::string::npos);
  EXPECT_NE(damaged(std::string("\x02\x00\x00\x05\x01\x01\x04\x01\x05", 9)).find(at + "node_delta"),
            std::string::npos);
  EXPECT_NE(damaged(std::string("\x02\x00\x00\x05\x01\x7f", 6)).find(at + "entries"), std::string::npos);
  EXPECT_NE(damaged(std::string("\x03\x01\x00", 3)).find(at + "elapsed_ticks"), std::string::npos);
  // An eleven-byte varint, and one that needs 65 bits.
  EXPECT_NE(damaged("\x03" + std::string(10, '\xff') + std::string("\x01\x00\x00", 3)).find(at + "reason"),
            std::string::npos);
  EXPECT_NE(damaged("\x03" + std::string(9, '\xff') + std::string("\x02\x00\x00", 3)).find(at + "reason"),
            std::string::npos);
}

TEST(TraceFile, TruncatedAnywhereKeepsWhatIsWhole) {
  TraceWriter writer;
  writer.chunk(0).node(0, 1).interval(1, 2, {{1, 1, 2}}).interval(5, 3, {{1, 1, 3}});
  const std::string bytes = writer.bytes();
  const std::size_t payload = 4096 + 64;
  const std::size_t node_size = 1 + 1 + 1 + 2 + 2;
  const std::size_t interval_size = 9;
  for (std::size_t size = payload; size < bytes.size(); ++size) {
    const Read read = read_all(test::parse_trace(bytes.substr(0, size)));
    const std::size_t whole = size >= payload + node_size ? (size - payload - node_size) / interval_size : 0;
    EXPECT_EQ(read.durations.size(), std::min<std::size_t>(whole, 2)) << size;
  }
}

} // namespace
} // namespace vprof::vtree
