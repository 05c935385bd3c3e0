#include "vprof/select/rank.h"

#include "tree_builder.h"

#include <gtest/gtest.h>

namespace vprof::select {
namespace {

using test::add_covariance;
using test::make_body;
using test::make_node;
using test::make_report;
using vtree::NodeKind;

std::string plan_names(const vtree::Report &report) {
  std::string text;
  for (const Expansion &expansion : refine_plan(report, rank(report, {})))
    text += (text.empty() ? "" : ", ") + expansion.function;
  return text;
}

TEST(RefinePlan, FunctionsThatAreNotExpanded) {
  vtree::Node expanded = make_node("expanded", 2, 20, {make_node("inner", 1, 15), make_body("expanded", 5)});
  expanded.expanded = true;
  vtree::Node wait = make_node("fsync", 0, 20);
  wait.kind = NodeKind::wait;
  const vtree::Report report =
      make_report(make_node("r", 3, 100, {make_node("leaf", 0, 30), wait, expanded, make_body("r", 10)}));
  EXPECT_EQ(plan_names(report),
            "inner"); // a leaf, a wait, bodies and what is expanded already have nothing below
}

TEST(RefinePlan, BothOfAPairEachOnce) {
  vtree::Node root = make_node("r", 3, 100, {make_node("a", 2, 1), make_node("b", 1, 30), make_body("r", 1)});
  add_covariance(root, 0, 1, 60);
  const vtree::Report report = make_report(root);
  EXPECT_EQ(plan_names(report), "b, a");
}

TEST(RefinePlan, AFunctionSeenOnlyInPartIsNotYetExpanded) {
  const vtree::Report report = make_report(
      make_node("r", 3, 100,
                {make_node("half", 2, 92, {make_body("half", 90, NodeKind::rest), make_node("x", 0, 1)})}));
  EXPECT_EQ(plan_names(report), "half");
}

TEST(RefinePlan, UnknownHeightMayHaveChildren) {
  EXPECT_EQ(plan_names(make_report(make_node("r", 3, 100, {make_node("dark", -1, 90)}))), "dark");
}

TEST(RefinePlan, EndsWhereNothingIsLeft) {
  EXPECT_EQ(plan_names(make_report(make_node("r", 1, 100, {make_node("leaf", 0, 90), make_body("r", 10)}))),
            "");
  EXPECT_TRUE(refine_plan(vtree::Report(), {}).empty());
}

} // namespace
} // namespace vprof::select
