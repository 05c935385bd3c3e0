// Runs with values that can be worked out by hand, and the identities that hold for all values.
#include "vprof/vtree/analyze.h"

#include "run_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace vprof::vtree {
namespace {

using test::analyze_ok;
using test::child;
using test::EntrySpec;
using test::make_test_run;
using test::ProbeSpec;
using test::TraceWriter;

const std::vector<ProbeSpec> three{
    {"serve", ProbeKind::root, true, true, 3}, {"parse", ProbeKind::function, false, false, 2}, {"fetch"}};

/// Intervals of serve with {parse, fetch} times; the body is 10.
TraceWriter writer_of(const std::vector<std::pair<std::uint64_t, std::uint64_t>> &times) {
  TraceWriter writer(test::test_plan);
  test::ChunkWriter &chunk = writer.chunk().node(0, 1).node(1, 2).node(1, 3);
  std::uint64_t start = 0;
  for (const auto &[parse, fetch] : times) {
    std::vector<EntrySpec> entries{{1, 1, parse + fetch + 10}};
    if (parse != 0)
      entries.push_back({2, 1, parse});
    if (fetch != 0)
      entries.push_back({3, 1, fetch});
    chunk.interval(start += 1000, parse + fetch + 10, entries);
  }
  return writer;
}

void expect_identities(const Node &node) {
  if (node.children.empty())
    return;
  double variance = 0;
  double magnitude = 0;
  double share = 0;
  double tail = 0;
  double mean = 0;
  for (const Node &child_node : node.children) {
    variance += child_node.variance_ns2;
    magnitude += child_node.variance_ns2;
    mean += child_node.mean_ns;
    share += child_node.share.value_or(0);
    tail += child_node.tail_share.value_or(0);
    EXPECT_LE(child_node.work_variance_ns2, child_node.variance_ns2);
    expect_identities(child_node);
  }
  for (const Covariance &pair : node.covariances) {
    variance += pair.contribution_ns2;
    magnitude += std::abs(pair.contribution_ns2);
  }
  EXPECT_NEAR(variance, node.variance_ns2, 1e-9 * node.variance_ns2 + 1e-14 * magnitude) << node.function;
  EXPECT_NEAR(mean, node.mean_ns, 1e-9 * std::abs(node.mean_ns) + 1e-9);
  if (node.share) {
    EXPECT_NEAR(share, *node.share, 1e-9);
  }
  if (node.tail_share) {
    EXPECT_NEAR(tail, *node.tail_share, 1e-9);
  }
}

TEST(Analyze, ByHand) {
  // parse 20, 40; fetch 100, 0; body 10, 10; root 130, 50.
  const Report report = analyze_ok(make_test_run(three, writer_of({{20, 100}, {40, 0}})));
  EXPECT_EQ(report.intervals.complete, 2u);
  ASSERT_TRUE(report.tree.has_value());
  const Node &root = *report.tree;
  EXPECT_DOUBLE_EQ(report.latency->mean_ns, 90);
  EXPECT_DOUBLE_EQ(report.latency->variance_ns2, 1600);
  EXPECT_DOUBLE_EQ(report.latency->p50_ns, 50); // nearest rank of 2 values
  EXPECT_DOUBLE_EQ(report.latency->p95_ns, 130);
  EXPECT_DOUBLE_EQ(child(root, "parse").variance_ns2, 100);
  EXPECT_DOUBLE_EQ(child(root, "fetch").variance_ns2, 2500);
  EXPECT_DOUBLE_EQ(child(root, "fetch").mean_ns, 50);
  EXPECT_DOUBLE_EQ(child(root, "fetch").calls_per_interval, 0.5);
  EXPECT_EQ(child(root, "serve (body)").variance_ns2, 0);
  EXPECT_DOUBLE_EQ(child(root, "serve (body)").mean_ns, 10);
  ASSERT_EQ(root.covariances.size(), 1u); // pairs with the constant body are exactly 0
  EXPECT_DOUBLE_EQ(root.covariances[0].contribution_ns2, -1000);
  // Cov(parse, root) = -10 * 40 = -400; Cov(fetch, root) = 50 * 40 = 2000.
  EXPECT_DOUBLE_EQ(*child(root, "parse").share, -0.25);
  EXPECT_DOUBLE_EQ(*child(root, "fetch").share, 1.25);
  EXPECT_DOUBLE_EQ(*root.share, 1);
  // The tail is the slower interval: fetch adds 50 of the 40 it is slower, parse -10.
  EXPECT_EQ(report.quality.tail_intervals, 1u);
  EXPECT_DOUBLE_EQ(*child(root, "fetch").tail_share, 1.25);
  EXPECT_FALSE(root.share_ci95.has_value());
  // All of fetch's variance comes with whether it is called.
  EXPECT_DOUBLE_EQ(child(root, "fetch").work_variance_ns2, 2500);
  EXPECT_EQ(child(root, "fetch").work_groups, 2u);
  EXPECT_EQ(child(root, "parse").work_variance_ns2, 0);
  EXPECT_EQ(root.children.front().function, "fetch");
}

TEST(Analyze, NothingOneAndConstant) {
  TraceWriter none(test::test_plan);
  none.chunk().node(0, 1).cut(VPROF_CUT_THREAD_EXIT, 5, 10).open(50);
  const Report nothing = analyze_ok(make_test_run(three, none));
  EXPECT_EQ(nothing.intervals.complete, 0u);
  EXPECT_EQ(nothing.intervals.incomplete, 2u);
  EXPECT_EQ(nothing.quality.cut.at("thread_exit"), 1u);
  EXPECT_EQ(nothing.quality.cut.at("open"), 1u);
  EXPECT_FALSE(nothing.tree.has_value());
  EXPECT_EQ(nothing.quality.warnings.back(), "no complete interval was recorded");

  const Report one = analyze_ok(make_test_run(three, writer_of({{20, 30}})));
  EXPECT_EQ(one.latency->variance_ns2, 0);
  EXPECT_FALSE(one.tree->share.has_value());
  EXPECT_FALSE(one.tree->tail_share.has_value());
  EXPECT_EQ(one.latency->p50_ns, 60);
  EXPECT_EQ(one.latency->max_ns, 60);

  const Report constant =
      analyze_ok(make_test_run(three, writer_of(std::vector(100, std::pair{20ul, 30ul}))));
  EXPECT_EQ(constant.tree->variance_ns2, 0);
  EXPECT_TRUE(constant.tree->covariances.empty());
  EXPECT_NE(constant.quality.warnings.back().find("does not vary"), std::string::npos);
}

TEST(Analyze, QuantilesAreNearestRank) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> times;
  for (std::uint64_t i = 1000; i >= 1; --i)
    times.push_back({i, 1});
  const Report report = analyze_ok(make_test_run(three, writer_of(times)));
  EXPECT_EQ(report.latency->p50_ns, 500 + 11);
  EXPECT_EQ(report.latency->p95_ns, 950 + 11);
  EXPECT_EQ(report.latency->p99_ns, 990 + 11);
  EXPECT_EQ(report.latency->p999_ns, 999 + 11);
  EXPECT_EQ(report.latency->max_ns, 1000 + 11);
  EXPECT_EQ(report.quality.tail_intervals, 11u); // 990 and above
}

TEST(Analyze, IdentitiesHoldOnAdversarialData) {
  std::mt19937_64 random(99);
  for (const std::size_t n : {2u, 19u, 20u, 5000u}) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> times;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t shift = random() % 1'000'000'000;
      const std::uint64_t outlier = random() % 997 == 0 ? UINT64_C(1) << 42 : 0;
      switch (random() % 4) {
      case 0:
        times.push_back({2'000'000'000 + shift, 3'000'000'000 - shift}); // anticorrelated
        break;
      case 1:
        times.push_back({0, random() % 100});
        break;
      case 2:
        times.push_back({random() % 100 + outlier, 0});
        break;
      default:
        times.push_back({2'000'000'000 + random() % 200, 7});
      }
    }
    expect_identities(*analyze_ok(make_test_run(three, writer_of(times))).tree);
  }
}

TEST(Analyze, AnticorrelatedChildrenOfAConstantRoot) {
  std::mt19937_64 random(5);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> times;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t shift = random() % 1'000'000'000;
    times.push_back({2'000'000'000 + shift, 3'000'000'000 - shift});
  }
  const Report report = analyze_ok(make_test_run(three, writer_of(times)));
  EXPECT_EQ(report.tree->variance_ns2, 0); // exactly, though its parts are 1e17
  EXPECT_GT(child(*report.tree, "parse").variance_ns2, 1e16);
}

TEST(Analyze, ConfidenceIntervalsCoverAndConstantsAreZero) {
  std::mt19937_64 random(3);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> times;
  for (int i = 0; i < 2000; ++i)
    times.push_back({1000 + random() % 1000, 1000 + random() % 3000});
  const Report report = analyze_ok(make_test_run(three, writer_of(times)));
  const Node &fetch = child(*report.tree, "fetch");
  EXPECT_EQ(report.quality.batches, 20u);
  ASSERT_TRUE(fetch.share_ci95.has_value());
  EXPECT_TRUE(fetch.share_ci95->covers(0.9)); // 3000^2 : 1000^2
  EXPECT_GT(fetch.share_ci95->low, 0.8);
  EXPECT_LT(fetch.share_ci95->high, 1.0);
  const Node &body = child(*report.tree, "serve (body)");
  EXPECT_EQ(*body.share, 0);
  EXPECT_TRUE(body.share_ci95->covers(0));
  EXPECT_NEAR(report.tree->share_ci95->low, 1, 1e-12);
}

TEST(Analyze, ProbeCostIsTakenOut) {
  // One pair costs 10 ticks, 4 of them inside. serve calls parse, which calls fetch twice.
  TraceWriter writer(test::test_plan);
  writer.header.probe_cost_ticks_q8 = 10 * 256;
  writer.header.probe_inside_ticks_q8 = 4 * 256;
  writer.chunk().node(0, 1).node(1, 2).node(2, 3).interval(0, 1000, {{1, 1, 1000}, {2, 1, 500}, {3, 2, 100}});
  const vtree::Run run = make_test_run(three, writer);
  const Report report = analyze_ok(run);
  const Node &parse = child(*report.tree, "parse");
  EXPECT_EQ(child(parse, "fetch").mean_ns, 100 - 2 * 4);
  EXPECT_EQ(parse.mean_ns, 500 - 4 - 2 * 10);
  EXPECT_EQ(report.tree->mean_ns, 1000 - 4 - 3 * 10);
  EXPECT_EQ(report.latency->mean_ns, 966);
  EXPECT_EQ(report.quality.probe_cost_ns, 34);
  EXPECT_EQ(report.quality.probe_pair_ns, 10);
  EXPECT_EQ(parse.probe_cost_ns, 24);
  // parse was not expanded but fetch was seen below it: a rest, with its own inside part and the outside of
  // two probes.
  EXPECT_EQ(child(parse, "parse (rest)").mean_ns, 500 - 100 - 4 - 2 * 6);
  EXPECT_EQ(child(parse, "parse (rest)").probe_cost_ns, 4 + 2 * 6);
  expect_identities(*report.tree);

  AnalyzeOptions raw;
  raw.subtract_probe_cost = false;
  const Report uncorrected = analyze_ok(run, raw);
  EXPECT_EQ(uncorrected.tree->mean_ns, 1000);
  EXPECT_EQ(uncorrected.quality.probe_cost_ns, 0);
  EXPECT_FALSE(uncorrected.quality.probe_cost_subtracted);
}

TEST(Analyze, ThreadsAndCallSitesMerge) {
  TraceWriter writer(test::test_plan);
  // Without debug information call sites are addresses: 0x500 and 0x600 differ, in both threads alike.
  writer.chunk(0, 1)
      .node(0, 1, 0x10)
      .node(1, 3, 0x500)
      .node(1, 3, 0x600)
      .interval(0, 30, {{1, 1, 30}, {2, 1, 10}, {3, 2, 5}});
  writer.chunk(1, 2)
      .node(0, 1, 0x20)
      .node(1, 3, 0x600)
      .node(1, 3, 0x500)
      .interval(0, 40, {{1, 1, 40}, {3, 1, 20}});
  const vtree::Run run = make_test_run(three, writer);
  const Report report = analyze_ok(run);
  EXPECT_EQ(report.quality.threads, 2u);
  EXPECT_EQ(report.quality.unsymbolized_sites, 2u);
  ASSERT_EQ(report.tree->children.size(), 3u);
  const Node &first = report.tree->children[0].call_site == SourceLocation{"0x4ff", 0}
                          ? report.tree->children[0]
                          : report.tree->children[1];
  EXPECT_EQ(first.mean_ns, 15);
  expect_identities(*report.tree);

  AnalyzeOptions together;
  together.separate_call_sites = false;
  const Report merged = analyze_ok(run, together);
  ASSERT_EQ(merged.tree->children.size(), 2u);
  EXPECT_EQ(child(*merged.tree, "fetch").mean_ns, 17.5);
  EXPECT_EQ(child(*merged.tree, "fetch").calls_per_interval, 2);
}

TEST(Analyze, DeepRecursionIsFolded) {
  TraceWriter writer(test::test_plan);
  test::ChunkWriter &chunk = writer.chunk().node(0, 1);
  std::vector<EntrySpec> entries{{1, 1, 10000}};
  for (std::uint32_t depth = 1; depth < 3000; ++depth) {
    chunk.node(depth, 2);
    entries.push_back({depth + 1, 1, 10000 - depth});
  }
  chunk.interval(0, 10000, entries);
  const Report report = analyze_ok(make_test_run(three, writer));
  unsigned depth = 0;
  const Node *node = &*report.tree;
  while (!node->children.empty() && !node->children[0].is_remainder())
    node = &node->children[0], ++depth;
  EXPECT_LE(depth, 256u);
  EXPECT_NE(report.quality.warnings.front().find("deeper than 256"), std::string::npos);
  expect_identities(*report.tree);
}

TEST(Analyze, UnknownProbesAndImpossibleTimesAreDropped) {
  TraceWriter writer(test::test_plan);
  writer.header.clock_source = VPROF_CLOCK_TSC;
  writer.header.last_ticks = 1000; // 1000 ns per tick
  writer.chunk()
      .node(0, 1)
      .node(1, 99)
      .interval(0, 5, {{1, 1, 5}})
      .interval(9, 6, {{1, 1, 6}, {2, 1, 3}})
      .interval(20, UINT64_C(1) << 53, {{1, 1, UINT64_C(1) << 53}});
  const Report report = analyze_ok(make_test_run(three, writer));
  EXPECT_EQ(report.intervals.complete, 1u);
  EXPECT_EQ(report.intervals.dropped.at("damaged"), 2u);
  EXPECT_EQ(report.latency->mean_ns, 5000);
}

TEST(Analyze, DropsAreListedByReason) {
  TraceWriter writer = writer_of({{1, 2}});
  writer.header.dropped[VPROF_DROP_SPACE] = 4;
  writer.header.dropped[VPROF_DROP_REENTRY] = 5;
  const Report report = analyze_ok(make_test_run(three, writer));
  const std::map<std::string, std::uint64_t> want{{"space", 4}, {"reentry", 5}};
  EXPECT_EQ(report.intervals.dropped, want);
}

TEST(Analyze, OptionsOutOfRange) {
  const vtree::Run run = make_test_run(three, writer_of({{1, 2}}));
  AnalyzeOptions options;
  options.tail_quantile = 1;
  EXPECT_EQ(test::message_of(analyze(run, options)), "tail quantile is 1, a number between 0 and 1 expected");
  options = AnalyzeOptions();
  options.batches = 0;
  EXPECT_EQ(test::message_of(analyze(run, options)), "number of batches is 0, 1 to 1000 expected");
}

} // namespace
} // namespace vprof::vtree
