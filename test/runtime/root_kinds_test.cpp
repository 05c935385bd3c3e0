// Roots that are loops or have an idle function, units of work, exceptions.
#include "program_run.h"

#include "vprof/trace_format.h"

#include <fmt/format.h>

namespace vprof::runtime {
namespace {

class RootKinds : public testing::TestWithParam<Variant> {
protected:
  ProgramRun run(const std::string &program, const std::string &argument) {
    ProgramRun result = run_program(program, GetParam(), argument);
    EXPECT_EQ(result.facts.faults(), std::vector<std::string>());
    EXPECT_EQ(result.status, 0);
    return result;
  }
  /// Invocations of the intervals, in order; "|" and a reason for each cut at the end, "+" if one was open.
  std::string units(const std::string &program, const std::string &statements) {
    const ProgramRun result = run(program, statements);
    std::string text;
    for (const FileFacts &file : result.facts.files) {
      for (const IntervalFacts &interval : file.intervals)
        text += fmt::format("{}{}", text.empty() ? "" : " ", interval.invocations);
      for (const std::uint64_t reason : file.cuts)
        text += fmt::format("|{}", reason);
      text += file.open ? "+" : "";
    }
    return text;
  }
};

TEST_P(RootKinds, LoopPassEndsEveryWay) {
  for (const char *how : {"0", "1", "2"}) {
    SCOPED_TRACE(how);
    const ProgramRun result = run("loop", how);
    EXPECT_EQ(result.facts.intervals(), 10u);
    EXPECT_EQ(result.facts.cuts() + result.facts.open(), 0u);
    // 10 first calls, and 6 second ones in passes that get that far; by return, one more instead.
    EXPECT_EQ(result.facts.path({1, 2}).calls, how[0] == '2' ? 17u : 16u);
  }
}

TEST_P(RootKinds, JumpToTheHeadOfTheLoopCompletesThePass) {
  const ProgramRun result = run("loop", "jumps");
  EXPECT_EQ(result.facts.intervals(), 12u);
  EXPECT_EQ(result.facts.cuts() + result.facts.open(), 0u);
  EXPECT_EQ(result.facts.path({1, 3}).calls, 12u);
  EXPECT_EQ(result.facts.path({1, 3, 2}).calls, 11u);
  EXPECT_EQ(result.facts.path({1, 2}).calls, 11u);
  EXPECT_EQ(result.facts.path({1, 1}).calls, 0u);
}

TEST_P(RootKinds, IntervalsRunFromIdleToIdle) {
  const ProgramRun result = run("idle", "plain");
  EXPECT_EQ(result.facts.intervals(), 20u);
  EXPECT_EQ(result.facts.open(), 0u);
  // After the last idle call the root returns.
  EXPECT_EQ(result.facts.files.at(0).cuts, std::vector<std::uint64_t>(1, VPROF_CUT_ROOT_EXIT));
  EXPECT_EQ(result.facts.path({1}).calls, 20u);
  EXPECT_EQ(result.facts.path({1, 3}).calls, 20u);
  EXPECT_EQ(result.facts.path({1, 3, 2}).calls, 20u);
  EXPECT_EQ(result.facts.path({1, 2}).calls, 0u);
  // The program idles for 5 ms at a time and works for microseconds.
  const FileFacts &file = result.facts.files.at(0);
  EXPECT_LT(static_cast<double>(result.facts.path({1}).ticks) * file.ns_per_tick, 50e6);
  for (std::size_t i = 1; i < file.intervals.size(); ++i)
    EXPECT_GT(static_cast<double>(file.intervals[i].start_ticks - file.intervals[i - 1].start_ticks) *
                  file.ns_per_tick,
              5e6);
}

TEST_P(RootKinds, IdleRootMayBeEnteredAgain) {
  const ProgramRun result = run("idle", "twice");
  EXPECT_EQ(result.facts.intervals(), 40u);
  EXPECT_EQ(result.facts.cuts(), 2u);
  EXPECT_EQ(result.facts.path({1, 3, 2}).calls, 40u);
}

TEST_P(RootKinds, JumpInsideAnIdleRootEndsOnlyWhatWasJumpedOver) {
  const ProgramRun result = run("idle", "failing");
  EXPECT_EQ(result.facts.intervals(), 20u);
  EXPECT_EQ(result.facts.path({1, 3}).calls, 20u);
  EXPECT_EQ(result.facts.path({1, 3}).intervals, 20u);
  EXPECT_EQ(result.facts.path({1, 3, 2}).calls, 15u);
  EXPECT_EQ(result.facts.path({1, 3, 3}).calls, 0u);
}

TEST_P(RootKinds, FunctionBetweenRootAndIdleIsSplit) {
  const ProgramRun result = run("idle", "helper");
  EXPECT_EQ(result.facts.intervals(), 20u);
  EXPECT_EQ(result.facts.path({1, 3}).calls, 20u);
  // The helper's first call began before the first interval; the others are seen in the interval before the
  // idle call.
  EXPECT_GE(result.facts.path({1, 5}).intervals, 19u);
  EXPECT_EQ(result.facts.path({1, 2}).calls + result.facts.path({1, 5, 2}).calls, 20u);
}

TEST_P(RootKinds, ForkInsideAnIdleRoot) {
  const ProgramRun result = run("idle", "fork");
  ASSERT_EQ(result.facts.files.size(), 2u);
  EXPECT_EQ(result.facts.files[0].intervals.size(), 20u);
  EXPECT_EQ(result.facts.files[1].intervals.size(), 10u);
  EXPECT_EQ(result.facts.files[1].dropped[VPROF_DROP_FORK], 1u);
}

TEST_P(RootKinds, UnitsAddUpInvocations) {
  EXPECT_EQ(units("units", "wwcwc"), "3 2");
  EXPECT_EQ(units("units", "cnfc"), "1 3");
  EXPECT_EQ(units("units", "wwcw"), "3+");
}

TEST_P(RootKinds, UnitBeginLeavesOutWhatIsOutside) {
  EXPECT_EQ(units("units_begin", "nbwwcnnbcn"), "4 2");
  EXPECT_EQ(units("units_begin", "nnn"), "");
  EXPECT_EQ(units("units_begin", "cbbwc"), "4");
  EXPECT_EQ(units("units_begin", "bwfwcn"), "5");
  EXPECT_EQ(units("units_begin", "bwcbw"), "3+");
  EXPECT_EQ(units("units_begin", "bkwwcn"), "2 3");
}

TEST_P(RootKinds, TimeBetweenInvocationsIsNotPartOfTheUnit) {
  const ProgramRun result = run("units", "w_w_c");
  ASSERT_EQ(result.facts.intervals(), 1u);
  const FileFacts &file = result.facts.files.at(0);
  EXPECT_LT(static_cast<double>(file.intervals[0].duration_ticks) * file.ns_per_tick, 20e6);
  EXPECT_EQ(result.facts.path({1}).calls, 3u);
}

TEST_P(RootKinds, ExceptionsEndScopes) {
  if (GetParam().name.find("xx") == std::string::npos)
    GTEST_SKIP() << "a C variant";
  const ProgramRun inside = run("exceptions", "inside");
  EXPECT_EQ(inside.facts.intervals(), 20u);
  EXPECT_EQ(inside.facts.path({1, 3, 2}).calls, 20u);
  EXPECT_EQ(inside.facts.path({1, 2}).calls, 10u);
  const ProgramRun outside = run("exceptions", "outside");
  EXPECT_EQ(outside.facts.intervals(), 20u);
  EXPECT_EQ(outside.facts.cuts(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Compiled, RootKinds, testing::ValuesIn(variants()), variant_name);

} // namespace
} // namespace vprof::runtime
