#include "vprof/report/facts.h"

#include "run_builder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace vprof::report {
namespace {

using Json = nlohmann::json;

Json facts_of(const vtree::Run &run) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::Error error = export_facts(run, out);
  EXPECT_FALSE(static_cast<bool>(error));
  return Json::parse(out.str());
}

const std::vector<test::ProbeSpec> probes{{"serve", vtree::ProbeKind::root, true, true},
                                          {"parse", vtree::ProbeKind::function, true, true},
                                          {"read", vtree::ProbeKind::wait},
                                          {"read", vtree::ProbeKind::call}};

TEST(Facts, ContextsMergeOverCallSites) {
  test::TraceWriter writer(test::test_plan, 1, 77);
  writer.header.probe_cost_ticks_q8 = 256 * 50;
  writer.header.first_monotonic_ns = 0;
  writer.chunk(0, 88)
      .node(0, 1)
      .node(1, 2, 0x500)
      .node(1, 2, 0x600)
      .node(2, 3)
      .node(3, 4)
      .interval(1000, 900, {{1, 1, 900}, {2, 2, 300}, {3, 1, 200}, {4, 1, 100}, {5, 3, 50}}, 2);
  writer.chunk(1, 89).node(0, 1).cut(VPROF_CUT_LONGJMP, 10, 25).open(3000);
  const Json facts = facts_of(test::make_test_run(probes, writer));
  const Json want = Json::parse(R"([
    {"pid": 77, "thread": 88, "start_ns": 1000, "duration_ns": 900, "complete": true, "label": null, "calls": [
      {"path": ["serve"], "count": 2, "total_ns": 900},
      {"path": ["serve", "parse"], "count": 3, "total_ns": 500},
      {"path": ["serve", "parse", "ext:read"], "count": 4, "total_ns": 150}]},
    {"pid": 77, "thread": 89, "start_ns": 10, "duration_ns": 25, "complete": false, "label": null, "calls": []},
    {"pid": 77, "thread": 89, "start_ns": 3000, "duration_ns": 0, "complete": false, "label": null, "calls": []}])");
  EXPECT_EQ(facts.at("intervals"), want);
  const Json ranking = Json::parse(R"({"serve": ["parse"], "serve/parse": ["ext:read"]})");
  EXPECT_EQ(facts.at("ranking"), ranking);
}

TEST(Facts, RankingIsByVarianceOfTheWholeContext) {
  // parse varies at each of its two sites, but the sum does not; load varies a little.
  const std::vector<test::ProbeSpec> two{{"serve", vtree::ProbeKind::root, true, true}, {"parse"}, {"load"}};
  test::TraceWriter writer(test::test_plan);
  test::ChunkWriter &chunk = writer.chunk().node(0, 1).node(1, 2, 0x500).node(1, 2, 0x600).node(1, 3);
  for (std::uint64_t i = 0; i < 10; ++i) {
    const std::uint64_t shift = 100 * i;
    chunk.interval(i * 10'000, 2000 + i,
                   {{1, 1, 2000 + i}, {2, 1, 100 + shift}, {3, 1, 1100 - shift}, {4, 1, i}});
  }
  EXPECT_EQ(facts_of(test::make_test_run(two, writer)).at("ranking").at("serve"), (Json{"load", "parse"}));
}

TEST(Facts, LoopRootIsItsLabel) {
  test::TraceWriter writer(test::test_plan);
  writer.chunk().node(0, 1).node(1, 2).interval(0, 9, {{1, 1, 9}, {2, 1, 4}});
  vtree::Run run = test::make_test_run(probes, writer);
  run.manifest.root.label = "@MARK";
  const Json facts = facts_of(run);
  EXPECT_EQ(facts.at("intervals")[0].at("calls")[1].at("path"), (Json{"@MARK", "parse"}));
  EXPECT_TRUE(facts.at("ranking").contains("@MARK"));
}

TEST(Facts, OfNothing) {
  test::TraceWriter writer(test::test_plan);
  const Json facts = facts_of(test::make_test_run(probes, writer));
  EXPECT_TRUE(facts.at("intervals").empty());
  EXPECT_TRUE(facts.at("ranking").empty());
}

} // namespace
} // namespace vprof::report
