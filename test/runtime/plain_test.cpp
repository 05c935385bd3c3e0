// Programs whose root is a function: what was recorded, and that the program did not notice.
#include "program_run.h"

#include "vprof/trace_format.h"

#include <csignal>

namespace vprof::runtime {
namespace {

class Plain : public testing::TestWithParam<Variant> {
protected:
  ProgramRun run(const std::string &scenario, const std::vector<std::string> &environment = {}) {
    ProgramRun result = run_program("plain", GetParam(), scenario, environment);
    EXPECT_EQ(result.facts.faults(), std::vector<std::string>());
    return result;
  }
  /// The run ended well, in one file, with so many complete intervals and nothing else.
  ProgramRun whole(const std::string &scenario, std::size_t intervals) {
    ProgramRun result = run(scenario);
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.facts.files.size(), 1u);
    EXPECT_EQ(result.facts.intervals(), intervals);
    EXPECT_EQ(result.facts.cuts(), 0u);
    EXPECT_EQ(result.facts.open(), 0u);
    for (const FileFacts &file : result.facts.files)
      EXPECT_EQ(file.dropped, std::vector<std::uint64_t>(VPROF_DROP_REASONS, 0));
    return result;
  }
};

TEST_P(Plain, RecordsCallsAndHeader) {
  const ProgramRun result = whole("basic", 100);
  EXPECT_EQ(result.facts.path({1}).calls, 100u);
  EXPECT_EQ(result.facts.path({1, 2}).calls, 100u);
  EXPECT_EQ(result.facts.path({1, 2, 3}).calls, 200u);
  EXPECT_EQ(result.facts.path({1, 2, 3}).intervals, 100u);
  ASSERT_EQ(result.facts.files.size(), 1u);
  const FileFacts &file = result.facts.files[0];
  EXPECT_EQ(file.plan, 0x1234567890abcdefu);
  EXPECT_EQ(file.root_id, 1u);
  EXPECT_EQ(file.name.rfind("vprof." + std::to_string(file.pid) + ".", 0), 0u);
  EXPECT_EQ(file.parent_pid, static_cast<std::uint32_t>(getpid()));
  EXPECT_EQ(file.executable, program_path("plain", GetParam()));
  EXPECT_GT(file.ns_per_tick, 0.0);
  EXPECT_GT(file.probe_cost_ns, file.probe_inside_ns);
  EXPECT_GT(file.probe_inside_ns, 0.0);
  ASSERT_EQ(file.modules.size(), 1u);
  EXPECT_NE(file.modules[0].find(file.executable + "\n"), std::string::npos);
  for (const IntervalFacts &interval : file.intervals)
    EXPECT_EQ(interval.invocations, 1u);
}

TEST_P(Plain, IntervalsOfOneThreadFollowEachOther) {
  const ProgramRun result = whole("many", 100000);
  const std::vector<IntervalFacts> &intervals = result.facts.files.at(0).intervals;
  for (std::size_t i = 1; i < intervals.size(); ++i)
    ASSERT_GE(intervals[i].start_ticks, intervals[i - 1].start_ticks + intervals[i - 1].duration_ticks) << i;
}

TEST_P(Plain, ThreadsWriteChunksOfTheirOwn) {
  const ProgramRun result = whole("threads", 1600);
  EXPECT_EQ(result.facts.files.at(0).threads, 8u);
  EXPECT_EQ(result.facts.files.at(0).live_threads, 0u);
  EXPECT_EQ(result.facts.files.at(0).unsealed, 0u);
  EXPECT_EQ(result.facts.path({1, 2, 3}).calls, 3200u);
}

TEST_P(Plain, ThreadThatEndsInsideIsCut) {
  const ProgramRun result = run("thread_exit");
  EXPECT_EQ(result.status, 0);
  // Where pthread_exit unwinds (C++), the scope ends like any other; else the end of the thread cuts it.
  EXPECT_EQ(result.facts.intervals() + result.facts.cuts(), 1u);
  for (const std::uint64_t reason : result.facts.files.at(0).cuts)
    EXPECT_EQ(reason, static_cast<std::uint64_t>(VPROF_CUT_THREAD_EXIT));
}

TEST_P(Plain, RootsInThreadDestructorsAreSafe) {
  const ProgramRun result = run("destructors");
  EXPECT_EQ(result.status, 0);
  EXPECT_GE(result.facts.intervals(), 3u);
  EXPECT_EQ(result.facts.files.at(0).live_threads, 0u);
}

TEST_P(Plain, RecursionOfTheRootIsOneInterval) {
  const ProgramRun result = whole("recursion", 10);
  EXPECT_EQ(result.facts.path({1, 1}).calls, 8u);
  EXPECT_EQ(result.facts.path({1, 1, 1, 1, 1, 3}).calls, 2u);
}

TEST_P(Plain, DeepRecursionLosesNothing) {
  const ProgramRun result = whole("deep", 2);
  EXPECT_EQ(result.facts.path({1, 2, 3}).calls, 4u);
  EXPECT_EQ(result.facts.files.at(0).deepest, 1u + 100001u + 1u);
  EXPECT_EQ(result.facts.files[0].calls_by_probe.at(4), 100001u + 11u);
  EXPECT_EQ(result.facts.files[0].calls_by_probe.at(3), 2u + 4u);
}

TEST_P(Plain, WrappedCallsNest) {
  const ProgramRun result = whole("wrapped", 10);
  EXPECT_EQ(result.facts.path({1, 4}).calls, 10u);
  EXPECT_EQ(result.facts.path({1, 4, 5}).calls + result.facts.path({1, 5}).calls, 10u);
  EXPECT_EQ(result.facts.path({1, 3}).calls, 10u);
}

TEST_P(Plain, JumpIntoTheRootEndsWhatWasJumpedOver) {
  for (const char *scenario : {"jump_inside", "jump_marked"}) {
    SCOPED_TRACE(scenario);
    const ProgramRun result = whole(scenario, 20);
    EXPECT_EQ(result.facts.path({1, 2, 4}).calls, 20u);
    EXPECT_EQ(result.facts.path({1, 2, 4, 3}).calls, 10u);
    EXPECT_EQ(result.facts.path({1, 3}).calls, 10u);
  }
}

TEST_P(Plain, JumpOutOfTheRootCuts) {
  const ProgramRun result = run("jump_out");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.facts.intervals(), 11u);
  EXPECT_EQ(result.facts.files.at(0).cuts, std::vector<std::uint64_t>(10, VPROF_CUT_LONGJMP));
  EXPECT_EQ(result.facts.path({1, 2, 4, 3}).calls, 10u);
  EXPECT_EQ(result.facts.path({1, 2, 3}).calls, 2u);
}

TEST_P(Plain, SignalHandlersAreCalleesOfWhatTheyInterrupt) {
  for (const char *scenario : {"handler", "handler_on_altstack"}) {
    SCOPED_TRACE(scenario);
    const ProgramRun result = whole(scenario, 20);
    EXPECT_EQ(result.facts.path({1, 5, 3}).calls, 20u);
    EXPECT_EQ(result.facts.path({1, 3}).calls, 20u);
  }
}

TEST_P(Plain, HandlersThatInterruptProbesAreSkipped) {
  const ProgramRun result = run("asynchronous");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.facts.cuts(), 0u);
  EXPECT_EQ(result.facts.open(), 0u);
  EXPECT_EQ(result.facts.path({1, 2}).calls, result.facts.intervals());
  EXPECT_EQ(result.facts.path({1, 2, 3}).calls, 2 * result.facts.intervals());
}

TEST_P(Plain, HandlersThatJumpOutOfProbesDoNotStopRecording) {
  const ProgramRun result = run("asynchronous_jump");
  EXPECT_EQ(result.status, 0);
  EXPECT_GE(result.facts.intervals(), 1000u);
  EXPECT_LE(result.facts.cuts(), 100u);
  EXPECT_EQ(result.facts.open(), 0u);
}

TEST_P(Plain, FibersAreNotTakenForWholeIntervals) {
  const ProgramRun result = run("fibers");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.facts.intervals(), 5u); // the ordinary ones afterwards
  EXPECT_GE(result.facts.cuts(), 1u);
  EXPECT_EQ(result.facts.path({1, 2}).calls, 5u);
}

TEST_P(Plain, ForkedWorkersHaveFilesOfTheirOwn) {
  const ProgramRun result = run("fork_outside");
  EXPECT_EQ(result.status, 0);
  ASSERT_EQ(result.facts.files.size(), 4u);
  const std::size_t expected[] = {15, 10, 11, 12};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(result.facts.files[i].intervals.size(), expected[i]);
    EXPECT_EQ(result.facts.files[i].open, 0u);
    if (i > 0) {
      EXPECT_EQ(result.facts.files[i].parent_pid, result.facts.files[0].pid);
    }
  }
}

TEST_P(Plain, ForkInsideGoesOnInTheParentAlone) {
  for (const char *scenario : {"fork_inside", "fork_raw"}) {
    SCOPED_TRACE(scenario);
    const ProgramRun result = run(scenario);
    EXPECT_EQ(result.status, 0);
    ASSERT_EQ(result.facts.files.size(), 2u);
    EXPECT_EQ(result.facts.files[0].intervals.size(), 6u);
    EXPECT_EQ(result.facts.files[1].intervals.size(), 7u);
    EXPECT_EQ(result.facts.files[0].dropped[VPROF_DROP_FORK], 0u);
    EXPECT_EQ(result.facts.files[1].dropped[VPROF_DROP_FORK], 1u);
    EXPECT_EQ(result.facts.path({1, 3}).calls, 2u);
  }
}

TEST_P(Plain, VforkChildDoesNotDisturbTheParent) {
  const ProgramRun result = whole("vfork", 5);
  EXPECT_EQ(result.facts.path({1, 3}).calls, 5u);
}

TEST_P(Plain, EveryWayToEndKeepsWhatWasComplete) {
  const struct {
    const char *scenario;
    int status;
    std::size_t intervals;
  } cases[] = {{"exit_inside", 0, 50},
               {"underscore_exit", 0, 50},
               {"killed", 128 + SIGKILL, 50},
               {"aborted", 128 + SIGABRT, 50},
               {"killed_at_first", 128 + SIGKILL, 0}};
  for (const auto &one : cases) {
    SCOPED_TRACE(one.scenario);
    const ProgramRun result = run(one.scenario);
    EXPECT_EQ(result.status, one.status);
    EXPECT_EQ(result.facts.intervals(), one.intervals);
    EXPECT_EQ(result.facts.cuts(), 0u);
    EXPECT_EQ(result.facts.open(), 1u);
  }
}

TEST_P(Plain, DescriptorsAndErrnoAreTheHosts) {
  EXPECT_EQ(whole("descriptors", 20100).status, 0);
  EXPECT_EQ(whole("errno", 4999).status, 0);
}

TEST_P(Plain, FileSizeLimitStopsTheRecordingOnly) {
  const ProgramRun result = run("file_size");
  EXPECT_EQ(result.status, 0);
  EXPECT_GT(result.facts.intervals(), 100u);
  EXPECT_EQ(result.facts.intervals() + result.facts.files.at(0).dropped[VPROF_DROP_SPACE], 30000u);
  EXPECT_LE(result.facts.files.at(0).size_bytes, 100000u);
  const ProgramRun none = run("no_file");
  EXPECT_EQ(none.status, 0);
  EXPECT_EQ(none.facts.files.size(), 0u);
}

TEST_P(Plain, RecordingLimitIsKept) {
  const ProgramRun result = run("many", {"VPROF_LIMIT_BYTES=200000"});
  EXPECT_EQ(result.status, 0);
  EXPECT_LE(result.facts.files.at(0).size_bytes, 200000u);
  EXPECT_GT(result.facts.intervals(), 1000u);
  EXPECT_EQ(result.facts.intervals() + result.facts.files.at(0).dropped[VPROF_DROP_SPACE], 100000u);
}

TEST_P(Plain, SmallAddressSpaceIsLeftToTheHost) {
  whole("address_space", 100);
}

TEST_P(Plain, WorkingDirectoryDoesNotMatter) {
  whole("directory_gone", 10);
}

TEST_P(Plain, FolderThatIsNotThereIsNoHarm) {
  EXPECT_EQ(run("basic", {"VPROF_DIR=/nonexistent/folder"}).status, 0);
  EXPECT_EQ(run("basic", {"VPROF_DIR=relative"}).status, 0);
  EXPECT_EQ(run("basic", {"VPROF_DIR="}).facts.files.size(), 0u);
  EXPECT_EQ(run("basic", {"VPROF_DIR=/" + std::string(5000, 'x')}).status, 0);
}

TEST_P(Plain, LoadedLibraryIsMeasuredAndListed) {
  const std::string plugin = program_path("plugin", GetParam());
  const ProgramRun result = run("plugin", {"TEST_PLUGIN=" + plugin});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.facts.intervals(), 7u);
  EXPECT_EQ(result.facts.path({1, 4}).calls, 2u);
  ASSERT_EQ(result.facts.files.at(0).modules.size(), 2u);
  EXPECT_EQ(result.facts.files[0].modules[0].find(plugin), std::string::npos);
  EXPECT_NE(result.facts.files[0].modules[1].find(plugin), std::string::npos);
}

TEST_P(Plain, LinkedLibraryRecordsTheSame) {
  const ProgramRun result = run_program("linked", GetParam(), "threads");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.facts.faults(), std::vector<std::string>());
  EXPECT_EQ(result.facts.intervals(), 1600u);
  EXPECT_EQ(result.facts.path({1, 2, 3}).calls, 3200u);
  EXPECT_EQ(result.facts.files.at(0).plan, 0x1234567890abcdefu);
  EXPECT_EQ(result.facts.files[0].root_id, 1u);
}

INSTANTIATE_TEST_SUITE_P(Compiled, Plain, testing::ValuesIn(variants()), variant_name);

} // namespace
} // namespace vprof::runtime
