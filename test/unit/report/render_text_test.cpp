#include "vprof/report/render_text.h"

#include "run_builder.h"
#include "tree_builder.h"

#include "vprof/select/rank.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace vprof::report {
namespace {

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

std::size_t longest_line(const std::string &text) {
  std::istringstream lines(text);
  std::string line;
  std::size_t longest = 0;
  while (std::getline(lines, line))
    longest = std::max(longest, line.size());
  return longest;
}

vtree::Report golden_report() {
  llvm::Expected<vtree::Run> run = vtree::load_run({std::string(VPROF_TEST_DATA) + "/golden-v1"});
  EXPECT_TRUE(static_cast<bool>(run)) << llvm::toString(run.takeError());
  vtree::Report report = test::analyze_ok(*run);
  select::rank_into(report, {});
  return report;
}

TEST(RenderText, GoldenTrace) {
  const std::string got = render_text(golden_report());
  const std::string path = std::string(VPROF_TEST_DATA) + "/golden-v1/report.txt";
  std::stringstream want;
  want << std::ifstream(path).rdbuf();
  if (got != want.str()) {
    const std::string written = testing::TempDir() + "/golden-v1-report.txt";
    std::ofstream(written) << got;
    FAIL() << path << " and " << written << " differ";
  }
}

TEST(RenderText, KeepsToTheWidth) {
  for (const unsigned width : {80u, 90u, 100u, 140u}) {
    TextOptions options;
    options.width = width;
    EXPECT_LE(longest_line(render_text(golden_report(), options)), width);
  }
}

TEST(RenderText, ColourOnlyWhenAsked) {
  TextOptions options;
  EXPECT_FALSE(has(render_text(golden_report(), options), "\033"));
  options.colour = true;
  EXPECT_TRUE(has(render_text(golden_report(), options), "\033[1mhandle\033[0m"));
}

TEST(RenderText, DepthAndFolding) {
  TextOptions options;
  options.max_depth = 2;
  const std::string shallow = render_text(golden_report(), options);
  EXPECT_FALSE(has(shallow.substr(shallow.find("\ntree")), "read (wait)"));
  options = TextOptions();
  options.min_share = 0.5;
  EXPECT_TRUE(has(render_text(golden_report(), options), " more, "));
}

TEST(RenderText, OfNothing) {
  vtree::Report nothing;
  nothing.root.function = "serve";
  nothing.root.file = "s.c";
  nothing.root.line = 3;
  nothing.intervals.incomplete = 2;
  nothing.quality.cut["open"] = 2;
  nothing.quality.warnings = {"no complete interval was recorded"};
  const std::string text = render_text(nothing);
  EXPECT_TRUE(has(text, "serve  s.c:3"));
  EXPECT_TRUE(has(text, "0 complete, 2 incomplete (open 2), 0 dropped"));
  EXPECT_TRUE(has(text, "warning: no complete interval was recorded"));
  EXPECT_FALSE(has(text, "nan"));
}

TEST(RenderText, OfConstantLatency) {
  vtree::Report report = test::make_report(test::make_node("serve", 1, 0, {test::make_node("parse", 0, 0)}));
  report.latency = vtree::Latency{};
  const std::string text = render_text(report);
  EXPECT_TRUE(has(text, "  none\n"));
  EXPECT_TRUE(has(text, "parse"));
  EXPECT_FALSE(has(text, "nan"));
  EXPECT_FALSE(has(text, "inf"));
}

TEST(RenderText, FactorsSayWhatTheyAre) {
  vtree::Node root = test::make_node("serve", 3, 100,
                                     {test::make_node("a", 2, 30), test::make_node("b", 2, 30),
                                      test::make_body("serve", 5, vtree::NodeKind::rest)});
  root.expanded = true;
  root.children[0].work_variance_ns2 = 27;
  test::add_covariance(root, 0, 1, 35);
  vtree::Report report = test::make_report(root);
  report.latency = vtree::Latency{};
  select::rank_into(report, {});
  const std::string text = render_text(report);
  EXPECT_TRUE(has(text, "a x b\n     they are slow together"));
  EXPECT_TRUE(has(text, "a\n     90 % of it goes with the number of calls"));
  EXPECT_TRUE(has(text, "serve (rest)\n     not all of its children are measured"));
  EXPECT_TRUE(has(text, "+35.0 % 2 cov(a, b)"));
}

} // namespace
} // namespace vprof::report
