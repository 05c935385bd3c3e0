// write_golden_trace FOLDER: the golden trace of format version 1. Two processes, three threads, sealed and
// open chunks, cut and open intervals, a recursion, two call sites of one function, a wait, and a module
// list.
#include "trace_writer.h"

#include <cstdio>
#include <random>

namespace {

using vprof::test::ChunkWriter;
using vprof::test::TraceWriter;

constexpr std::uint64_t plan = 0x60d1e77ace000001;
enum : std::uint32_t { handle = 1, parse = 2, fetch = 3, descend = 4, read_wait = 5 };
// Nodes, in the order they are defined.
enum : std::uint32_t { n_handle = 1, n_parse, n_fetch_a, n_fetch_b, n_descend, n_descend2, n_read };

void define_nodes(ChunkWriter &chunk, std::uint64_t base) {
  chunk.node(0, handle, base + 0x100, base + 0x110);
  chunk.node(n_handle, parse, base + 0x200, base + 0x210);
  chunk.node(n_handle, fetch, base + 0x300, base + 0x310);
  chunk.node(n_handle, fetch, base + 0x400, base + 0x310);
  chunk.node(n_handle, descend, base + 0x500, base + 0x510);
  chunk.node(n_descend, descend, base + 0x520, base + 0x510);
  chunk.node(n_fetch_a, read_wait, base + 0x600, base + 0x320);
}

void write_intervals(ChunkWriter &chunk, std::mt19937 &random, std::uint64_t start, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    const std::uint64_t read = random() % 8 == 0 ? 40'000 + random() % 9'000 : 900 + random() % 200;
    const std::uint64_t first = read + 500;
    const std::uint64_t second = random() % 2 == 0 ? 700 + random() % 50 : 0;
    const std::uint64_t deep = 3'000 + random() % 2'000;
    const std::uint64_t parsing = 2'000 + deep / 4;
    std::vector<vprof::test::EntrySpec> entries{{n_handle, 1, first + second + deep + parsing + 1'000}};
    entries.push_back({n_parse, 1, parsing});
    entries.push_back({n_fetch_a, 1, first});
    if (second != 0)
      entries.push_back({n_fetch_b, 2, second});
    entries.push_back({n_descend, 1, deep});
    entries.push_back({n_descend2, 1, deep - 800});
    entries.push_back({n_read, 1, read});
    chunk.interval(start + i * 100'000, first + second + deep + parsing + 1'000, entries);
  }
}

TraceWriter process(std::uint32_t pid, std::uint64_t base, double ns_per_tick) {
  TraceWriter writer(plan, handle, pid);
  writer.header.clock_source = VPROF_CLOCK_TSC;
  writer.header.first_ticks = 1'000'000;
  writer.header.first_monotonic_ns = 500'000'000;
  writer.header.last_ticks = 2'000'000;
  writer.header.last_monotonic_ns = 500'000'000 + static_cast<std::uint64_t>(1e6 * ns_per_tick);
  writer.header.probe_cost_ticks_q8 = 60 * 256 + 128;
  writer.header.probe_inside_ticks_q8 = 20 * 256;
  char maps[128];
  std::snprintf(maps, sizeof maps, "%llx-%llx r-xp 00001000 08:01 77 /opt/golden/server\n",
                static_cast<unsigned long long>(base), static_cast<unsigned long long>(base + 0x1000));
  writer.modules(maps);
  return writer;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  std::mt19937 random(20240601);
  TraceWriter first = process(4001, 0x555555554000, 0.5);
  ChunkWriter &a = first.chunk(0, 4001, 1'000'000);
  define_nodes(a, 0x555555554000);
  write_intervals(a, random, 1'100'000, 60);
  a.seal();
  ChunkWriter &b = first.chunk(0, 4001, 8'000'000);
  write_intervals(b, random, 8'000'000, 30);
  b.cut(VPROF_CUT_LONGJMP, 12'000'000, 777).open(12'500'000);
  ChunkWriter &c = first.chunk(1, 4002, 1'000'000);
  define_nodes(c, 0x555555554000);
  write_intervals(c, random, 1'150'000, 60);
  first.header.dropped[VPROF_DROP_REENTRY] = 3;

  TraceWriter second = process(4010, 0x7f1234560000, 0.25);
  ChunkWriter &d = second.chunk(0, 4010, 2'000'000);
  define_nodes(d, 0x7f1234560000);
  write_intervals(d, random, 2'000'000, 60);

  const std::string folder = argv[1];
  const bool saved =
      first.save(folder + "/vprof.4001.f4240.vpt") && second.save(folder + "/vprof.4010.f4240.vpt");
  return saved ? 0 : 1;
}
