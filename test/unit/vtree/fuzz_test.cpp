// Whatever happens to the bytes of a trace, reading and analysing it neither crashes nor gives numbers that
// JSON cannot hold. Seeds are fixed.
#include "run_builder.h"

#include "vprof/select/rank.h"

#include <gtest/gtest.h>

#include <random>

namespace vprof::vtree {
namespace {

std::string sample_bytes() {
  test::TraceWriter writer(test::test_plan);
  test::ChunkWriter &chunk = writer.chunk(0, 10).node(0, 1).node(1, 2).node(1, 3).node(2, 3);
  for (std::uint64_t i = 0; i < 60; ++i)
    chunk.interval(1000 * i, 100 + i % 7,
                   {{1, 1, 100 + i % 7}, {2, 2, 50 + i % 5}, {3, 1, 10}, {4, i % 3, 5 * (i % 3)}});
  writer.chunk(1, 11).node(0, 1).cut(1, 5, 6).open(77);
  writer.modules("7f0000000000-7f0000001000 r-xp 00000000 08:01 5 /nonexistent/server\n");
  return writer.bytes();
}

void use(const std::string &bytes) {
  llvm::Expected<TraceFile> file = TraceFile::parse(llvm::MemoryBuffer::getMemBufferCopy(bytes), "fuzz.vpt");
  if (!file) {
    EXPECT_FALSE(llvm::toString(file.takeError()).empty());
    return;
  }
  std::vector<TraceFile> files;
  files.push_back(std::move(*file));
  Manifest manifest = test::make_manifest({{"serve", ProbeKind::root, true, true}, {"parse"}, {"fetch"}});
  llvm::Expected<vtree::Run> run = make_run(std::move(manifest), std::move(files));
  if (!run) {
    llvm::consumeError(run.takeError());
    return;
  }
  llvm::Expected<Report> report = analyze(*run);
  ASSERT_TRUE(static_cast<bool>(report));
  select::rank_into(*report, {});
  const std::string json = to_json(*report);
  llvm::Expected<Report> again = report_from_json(json, "fuzz.json");
  ASSERT_TRUE(static_cast<bool>(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(to_json(*again), json);
}

TEST(Fuzz, FlippedBits) {
  const std::string bytes = sample_bytes();
  std::mt19937 random(1);
  for (int round = 0; round < 1500; ++round) {
    std::string damaged = bytes;
    for (unsigned flips = 1 + random() % 8; flips > 0; --flips) {
      // Most of a file is padding: aim at headers and payloads.
      const std::size_t unit = random() % (bytes.size() / 4096) * 4096;
      const std::size_t at = unit + random() % (unit == 0 ? 176 : 1024);
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << (random() % 8)));
    }
    use(damaged);
  }
}

TEST(Fuzz, RandomPayload) {
  std::mt19937 random(2);
  for (int round = 0; round < 1500; ++round) {
    test::TraceWriter writer(test::test_plan);
    std::string noise(random() % 300, '\0');
    for (char &byte : noise)
      byte = static_cast<char>(random() % 3 == 0 ? random() % 256 : random() % 5);
    writer.chunk().node(0, 1).node(1, 2).raw(noise);
    use(writer.bytes());
  }
}

TEST(Fuzz, Truncated) {
  const std::string bytes = sample_bytes();
  for (std::size_t size = 0; size < bytes.size(); size += size < 4000 ? 97 : 31)
    use(bytes.substr(0, size));
}

} // namespace
} // namespace vprof::vtree
