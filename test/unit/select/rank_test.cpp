#include "vprof/select/rank.h"

#include "run_builder.h"
#include "tree_builder.h"

#include <gtest/gtest.h>

#include <random>

namespace vprof::select {
namespace {

using test::add_covariance;
using test::make_body;
using test::make_node;
using test::make_report;
using vtree::Factor;

std::string names(const std::vector<Factor> &factors) {
  std::string text;
  for (const Factor &factor : factors) {
    text += text.empty() ? "" : ", ";
    text += factor.functions[0] + (factor.functions.size() == 2 ? " x " + factor.functions[1] : "");
  }
  return text;
}

// A transaction writes the log twice under a lock: the shape of the papers' running example.
//   Transaction (height 3, variance 100)
//     WriteLog (height 2, 80) = Lock (1, 50) + CopyData (0, 20) + Unlock (1, 2) + body 0 + 2 cov(Lock,
//     CopyData) 8 body 20
vtree::Report log_report() {
  vtree::Node log = make_node("WriteLog", 2, 80,
                              {make_node("Lock", 1, 50), make_node("CopyData", 0, 20),
                               make_node("Unlock", 1, 2), make_body("WriteLog", 0)});
  add_covariance(log, 0, 1, 8);
  return make_report(make_node("Transaction", 3, 100, {log, make_body("Transaction", 20)}));
}

TEST(Rank, SpecificFunctionsBeatTheirCallers) {
  const std::vector<Factor> factors = rank(log_report(), {});
  // Scores: Lock (3-1)^2 * 50 = 200; CopyData 9 * 20 = 180; body 9 * 20 = 180; WriteLog 1 * 80; the pair 4 *
  // 8 = 32.
  EXPECT_EQ(names(factors), "Lock, CopyData, Transaction (body), WriteLog, CopyData x Lock");
  EXPECT_DOUBLE_EQ(factors[0].score, 200);
  EXPECT_DOUBLE_EQ(factors[1].score, 180);
  EXPECT_DOUBLE_EQ(factors[3].score, 80);
  EXPECT_DOUBLE_EQ(factors[4].score, 32);
  EXPECT_EQ(factors[4].height, 1);
  EXPECT_EQ(factors[4].kind, vtree::FactorKind::covariance);
  EXPECT_DOUBLE_EQ(factors[0].variance_share, 0.5);
  EXPECT_EQ(factors[0].rank, 1u);
  EXPECT_EQ(factors[0].sites[0].path, (std::vector<std::string>{"Transaction", "WriteLog", "Lock"}));
  EXPECT_EQ(factors[0].verdict, vtree::Verdict::undecided); // no batches, no confidence
}

TEST(Rank, ThresholdAndK) {
  Options options;
  options.k = 2;
  EXPECT_EQ(names(rank(log_report(), options)), "Lock, CopyData");
  options.k = 10;
  EXPECT_EQ(rank(log_report(), options).size(), 6u); // Unlock's 2 % are above 1 %
  options.threshold = 0.02;
  EXPECT_EQ(rank(log_report(), options).size(), 5u); // exactly the threshold is not above it
  options.threshold = 0.3;
  EXPECT_EQ(names(rank(log_report(), options)), "Lock, WriteLog");
  options.k = 0;
  EXPECT_TRUE(rank(log_report(), options).empty());
}

TEST(Rank, InstancesAddUp) {
  const vtree::Report report =
      make_report(make_node("r", 3, 100,
                            {make_node("a", 2, 30, {make_node("lock", 0, 25)}),
                             make_node("b", 2, 40, {make_node("lock", 0, 35)}), make_body("r", 1)}));
  const std::vector<Factor> factors = rank(report, {});
  EXPECT_EQ(names(factors), "lock, b, a");
  EXPECT_DOUBLE_EQ(factors[0].variance_ns2, 60);
  ASSERT_EQ(factors[0].sites.size(), 2u);
  EXPECT_DOUBLE_EQ(factors[0].sites[0].variance_ns2, 35); // greatest first
  EXPECT_EQ(factors[0].sites[0].path[1], "b");
}

TEST(Rank, RecursionCountsOnceBodiesEveryTime) {
  vtree::Node inner = make_node("f", 1, 60, {make_body("f", 15)});
  vtree::Node outer = make_node("f", 1, 90, {inner, make_body("f", 10)});
  const std::vector<Factor> factors = rank(make_report(make_node("r", 2, 100, {outer})), {});
  EXPECT_EQ(names(factors), "f (body), f");
  EXPECT_DOUBLE_EQ(factors[0].variance_ns2, 25);
  EXPECT_DOUBLE_EQ(factors[1].variance_ns2, 90);
}

TEST(Rank, RootInsideItselfIsNoFactor) {
  const std::vector<Factor> factors =
      rank(make_report(make_node("r", 2, 100, {make_node("r", 2, 90), make_node("g", 1, 10)})), {});
  EXPECT_EQ(names(factors), "g");
}

TEST(Rank, StaticFunctionsOfOneNameStayApart) {
  vtree::Node first = make_node("init", 0, 50);
  vtree::Node second = make_node("init", 0, 40);
  second.file = "other.c";
  EXPECT_EQ(rank(make_report(make_node("r", 1, 100, {first, second})), {}).size(), 2u);
  first.kind = second.kind = vtree::NodeKind::wait; // a wrapped call's place is the call's
  EXPECT_EQ(rank(make_report(make_node("r", 1, 100, {first, second})), {}).size(), 1u);
}

TEST(Rank, NegativeCovarianceIsNoFactor) {
  vtree::Node root = make_node("r", 2, 10, {make_node("a", 0, 100), make_node("b", 0, 100)});
  add_covariance(root, 0, 1, -190);
  EXPECT_EQ(names(rank(make_report(root), {})), "a, b");
}

TEST(Rank, TiesAreByVarianceThenName) {
  const vtree::Report report = make_report(
      make_node("r", 4, 100, {make_node("z", 3, 40), make_node("m", 2, 10), make_node("a", 3, 40)}));
  EXPECT_EQ(names(rank(report, {})), "a, z, m"); // all score 40
}

TEST(Rank, UnknownHeightsAreObserved) {
  const vtree::Report report = make_report(
      make_node("r", -1, 100, {make_node("a", -1, 50, {make_node("b", -1, 40)}), make_node("c", 7, 50)}));
  const std::vector<Factor> factors = rank(report, {});
  // The root's height is then 8, one more than the greatest below it: a 1, b 0, c 7.
  EXPECT_EQ(names(factors), "b, a, c");
  EXPECT_DOUBLE_EQ(factors[0].specificity, 64);
  EXPECT_DOUBLE_EQ(factors[1].specificity, 49);
  EXPECT_DOUBLE_EQ(factors[2].specificity, 1);
}

TEST(Rank, TallerThanTheRootHasNoSpecificity) {
  const std::vector<Factor> factors = rank(make_report(make_node("r", 2, 100, {make_node("a", 9, 50)})), {});
  ASSERT_EQ(factors.size(), 1u);
  EXPECT_EQ(factors[0].score, 0);
}

TEST(Rank, NothingToRank) {
  EXPECT_TRUE(rank(vtree::Report(), {}).empty());
  EXPECT_TRUE(rank(make_report(make_node("r", 2, 0, {make_node("a", 0, 0)})), {}).empty());
}

TEST(ScoreMode, NamesRoundTrip) {
  for (const ScoreMode mode : {ScoreMode::paper, ScoreMode::share, ScoreMode::tail})
    EXPECT_EQ(score_mode_from_name(score_mode_name(mode)), mode);
  EXPECT_FALSE(score_mode_from_name("best").has_value());
}

/// steady costs the same always; noisy is in every interval; rare is slow in one of 50 and fast else; calm
/// varies little and by itself.
vtree::Report measured_report(std::size_t intervals) {
  std::mt19937 random(11);
  test::TraceWriter writer(test::test_plan);
  test::ChunkWriter &chunk = writer.chunk().node(0, 1).node(1, 2).node(1, 3).node(1, 4).node(1, 5);
  for (std::uint64_t i = 0; i < intervals; ++i) {
    const std::uint64_t noisy = 1000 + random() % 6000;
    const std::uint64_t rare = i % 50 == 7 ? 9000 : 100;
    const std::uint64_t calm = 500 + random() % 900;
    chunk.interval(
        i * 100'000, noisy + rare + calm + 3000,
        {{1, 1, noisy + rare + calm + 3000}, {2, 1, 3000}, {3, 1, noisy}, {4, 1, rare}, {5, 1, calm}});
  }
  return test::analyze_ok(test::make_test_run({{"serve", vtree::ProbeKind::root, true, true, 1},
                                               {"steady", vtree::ProbeKind::function, false, false, 0},
                                               {"noisy", vtree::ProbeKind::function, false, false, 0},
                                               {"rare", vtree::ProbeKind::function, false, false, 0},
                                               {"calm", vtree::ProbeKind::function, false, false, 0}},
                                              writer));
}

TEST(Rank, ConfidenceDecides) {
  const std::vector<Factor> factors = rank(measured_report(4000), {});
  ASSERT_GE(factors.size(), 2u);
  EXPECT_EQ(factors[0].functions[0], "noisy");
  EXPECT_EQ(factors[0].verdict, vtree::Verdict::finding);
  ASSERT_TRUE(factors[0].lead_ci95.has_value());
  EXPECT_FALSE(factors[0].lead_ci95->covers(0));
  EXPECT_EQ(factors[1].functions[0], "rare");
  for (const Factor &factor : factors)
    EXPECT_NE(factor.functions[0], "steady");

  for (const Factor &factor : rank(measured_report(15), {}))
    EXPECT_EQ(factor.verdict, vtree::Verdict::undecided);
}

TEST(Rank, TailModeFindsTheTail) {
  const vtree::Report report = measured_report(4000);
  Options options;
  options.score = ScoreMode::tail;
  const std::vector<Factor> tail = rank(report, options);
  ASSERT_FALSE(tail.empty());
  EXPECT_EQ(tail[0].functions[0], "rare");
  options.score = ScoreMode::share;
  const std::vector<Factor> share = rank(report, options);
  EXPECT_EQ(share[0].functions[0], "noisy");
  double sum = 0;
  for (const Factor &factor : share) {
    EXPECT_EQ(factor.kind, vtree::FactorKind::variance);
    sum += factor.share;
  }
  EXPECT_NEAR(sum, 1, 0.02);
}

} // namespace
} // namespace vprof::select
