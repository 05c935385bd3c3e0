// Merged reports against one analysis of all traces.
#include "vprof/vtree/analyze.h"

#include "run_builder.h"

#include <gtest/gtest.h>

#include <random>

namespace vprof::vtree {
namespace {

const std::vector<test::ProbeSpec> probes{{"serve", ProbeKind::root, true, true}, {"parse"}, {"fetch"}};

/// With `with_nested`, fetch is called below parse, so that parse has a rest.
test::TraceWriter make_trace(unsigned seed, bool with_nested, std::uint64_t scale) {
  std::mt19937 random(seed);
  test::TraceWriter writer(test::test_plan);
  writer.header.probe_cost_ticks_q8 = 700;
  writer.header.probe_inside_ticks_q8 = 300;
  test::ChunkWriter &chunk = writer.chunk().node(0, 1).node(1, 2);
  if (with_nested)
    chunk.node(2, 3);
  for (std::uint64_t i = 0; i < 500; ++i) {
    const std::uint64_t fetch = random() % 500 * scale;
    const std::uint64_t parse = fetch + random() % 300;
    std::vector<test::EntrySpec> entries{{1, 1, parse + 50}, {2, 1 + random() % 3, parse}};
    if (with_nested && i % 3 == 0)
      entries.push_back({3, 2, fetch});
    chunk.interval(i * 100'000, parse + 50 + random() % 20, entries);
  }
  return writer;
}

void expect_same(const Node &a, const Node &b) {
  EXPECT_EQ(a.shown_name(), b.shown_name());
  EXPECT_EQ(a.mean_ns, b.mean_ns); // sums are exact, so bit for bit
  EXPECT_EQ(a.variance_ns2, b.variance_ns2);
  EXPECT_EQ(a.share, b.share);
  EXPECT_EQ(a.calls_per_interval, b.calls_per_interval);
  EXPECT_EQ(a.probe_cost_ns, b.probe_cost_ns);
  EXPECT_NEAR(a.work_variance_ns2, b.work_variance_ns2, 1e-9 * b.work_variance_ns2);
  EXPECT_EQ(a.work_groups, b.work_groups);
  ASSERT_EQ(a.children.size(), b.children.size());
  for (std::size_t i = 0; i < a.children.size(); ++i)
    expect_same(a.children[i], b.children[i]);
  ASSERT_EQ(a.covariances.size(), b.covariances.size());
  for (std::size_t i = 0; i < a.covariances.size(); ++i)
    EXPECT_EQ(a.covariances[i].contribution_ns2, b.covariances[i].contribution_ns2);
}

TEST(Merge, EqualsOneAnalysis) {
  const test::TraceWriter first = make_trace(1, false, 1);
  const test::TraceWriter second = make_trace(2, true, 4);
  std::vector<TraceFile> files;
  files.push_back(test::parse_trace(first));
  files.push_back(test::parse_trace(second));
  llvm::Expected<vtree::Run> both = make_run(test::make_manifest(probes), std::move(files));
  ASSERT_TRUE(static_cast<bool>(both));
  const Report whole = test::analyze_ok(*both);
  for (const bool swap : {false, true}) {
    std::vector<Report> parts{test::analyze_ok(test::make_test_run(probes, swap ? second : first)),
                              test::analyze_ok(test::make_test_run(probes, swap ? first : second))};
    llvm::Expected<Report> merged = merge_reports(parts);
    ASSERT_TRUE(static_cast<bool>(merged));
    EXPECT_EQ(merged->intervals.complete, 1000u);
    expect_same(*merged->tree, *whole.tree);
    EXPECT_EQ(merged->latency->variance_ns2, whole.latency->variance_ns2);
    EXPECT_EQ(merged->latency->max_ns, whole.latency->max_ns);
    EXPECT_NEAR(merged->latency->p50_ns, whole.latency->p50_ns, 0.008 * whole.latency->p50_ns);
    EXPECT_NEAR(merged->latency->p99_ns, whole.latency->p99_ns, 0.008 * whole.latency->p99_ns);
    EXPECT_EQ(merged->quality.batches, 40u);
    EXPECT_TRUE(merged->tree->share_ci95.has_value());
    EXPECT_EQ(merged->quality.files, 2u);
    EXPECT_EQ(merged->quality.probe_cost_ns, whole.quality.probe_cost_ns);
  }
}

TEST(Merge, WithNothingChangesNothing) {
  test::TraceWriter empty(test::test_plan);
  empty.chunk().node(0, 1).cut(1, 2, 3);
  const Report full = test::analyze_ok(test::make_test_run(probes, make_trace(3, true, 1)));
  llvm::Expected<Report> merged = merge_reports({full, test::analyze_ok(test::make_test_run(probes, empty))});
  ASSERT_TRUE(static_cast<bool>(merged));
  expect_same(*merged->tree, *full.tree);
  EXPECT_EQ(merged->intervals.incomplete, 1u);
  for (const std::string &warning : merged->quality.warnings)
    EXPECT_EQ(warning.find("no complete interval"), std::string::npos);
}

TEST(Merge, RefusesWhatDoesNotFit) {
  EXPECT_EQ(test::message_of(merge_reports({})), "no report to merge");
  const Report report = test::analyze_ok(test::make_test_run(probes, make_trace(3, true, 1)));
  Report other = report;
  other.plan = 2;
  EXPECT_EQ(test::message_of(merge_reports({report, other})),
            "reports of plan 0x1234567890abcdef and plan 0x2 cannot be merged: use runs of one build");
}

} // namespace
} // namespace vprof::vtree
