// What does a probe cost? Guards the promise of docs/runtime.md: a pair of probes inside an interval costs
// little more than the two clock reads it cannot do without, and a dormant pair next to nothing.
//
// Machines differ, so every benchmark also reports `reads`: its time in units of two bare clock reads, which
// are measured in the same run right before it.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#define VPROF_I_PLAN 0ul
#define VPROF_I_ROOT_ID 1u
#define VPROF_I_ROOT_MODE 0u
#include "vprof/probe.h"
#include "vprof/runtime.h"

namespace {

constexpr int batch = 1024;

[[gnu::noinline]] void bare(int n) {
  benchmark::DoNotOptimize(n);
}

[[gnu::noinline]] void probed(int n) {
  VPROF_FN(2u);
  benchmark::DoNotOptimize(n);
}

[[gnu::noinline]] void probed_too(int n) {
  VPROF_FN(3u);
  benchmark::DoNotOptimize(n);
}

[[gnu::noinline]] void root(int n) {
  VPROF_ROOT(1u);
  benchmark::DoNotOptimize(n);
}

/// Seconds of two clock reads: the least of some batches.
double two_reads_s() {
  double least = 1;
  for (int round = 0; round < 32; ++round) {
    const unsigned long before = vprof_i_clock_ns(VPROF_I_CLOCK_MONOTONIC);
    for (int i = 0; i < batch; ++i) {
      benchmark::DoNotOptimize(vprof_i_ticks());
      benchmark::DoNotOptimize(vprof_i_ticks());
    }
    const unsigned long after = vprof_i_clock_ns(VPROF_I_CLOCK_MONOTONIC);
    least = std::min(least, static_cast<double>(after - before) * 1e-9 / batch);
  }
  return least;
}

/// Runs `body` and reports its time per call, and the same in units of two clock reads.
template <typename Body>
void measure(benchmark::State &state, Body body) {
  const double reads_s = two_reads_s();
  double least = 1;
  for (auto _ : state) {
    const unsigned long before = vprof_i_clock_ns(VPROF_I_CLOCK_MONOTONIC);
    for (int i = 0; i < batch; ++i)
      body(i);
    const unsigned long after = vprof_i_clock_ns(VPROF_I_CLOCK_MONOTONIC);
    const double each = static_cast<double>(after - before) * 1e-9 / batch;
    state.SetIterationTime(each);
    least = std::min(least, each);
  }
  state.counters["least_ns"] = least * 1e9;
  state.counters["reads"] = least / reads_s;
}

void two_clock_reads(benchmark::State &state) {
  measure(state, [](int) {
    benchmark::DoNotOptimize(vprof_i_ticks());
    benchmark::DoNotOptimize(vprof_i_ticks());
  });
}

void call_without_probe(benchmark::State &state) {
  measure(state, bare);
}

void pair_dormant(benchmark::State &state) {
  measure(state, probed);
}

void pair_in_interval(benchmark::State &state) {
  VPROF_ROOT(1u);
  measure(state, probed);
}

void pair_of_alternating_callees(benchmark::State &state) {
  VPROF_ROOT(1u);
  measure(state, [](int i) { (i & 1 ? probed : probed_too)(i); });
}

/// Every call from another call site, so that both guesses fail and the hash table answers.
void pair_of_many_callees(benchmark::State &state) {
  VPROF_ROOT(1u);
  const auto sites = static_cast<unsigned long>(state.range(0));
  unsigned long random = 1;
  measure(state, [&](int) {
    random = random * 6364136223846793005ul + 1442695040888963407ul;
    void *const site = reinterpret_cast<void *>(0x400000 + 16 * ((random >> 33) % sites));
    vprof_i_leave(vprof_i_enter(4, site, static_cast<char *>(__builtin_frame_address(0)) - 64));
  });
}

/// A whole interval, written to the file.
void interval(benchmark::State &state) {
  measure(state, root);
}

} // namespace

BENCHMARK(two_clock_reads)->UseManualTime();
BENCHMARK(call_without_probe)->UseManualTime();
BENCHMARK(pair_dormant)->UseManualTime();
BENCHMARK(pair_in_interval)->UseManualTime();
BENCHMARK(pair_of_alternating_callees)->UseManualTime();
BENCHMARK(pair_of_many_callees)->UseManualTime()->Arg(100)->Arg(10000);
BENCHMARK(interval)->UseManualTime();

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 2;
  std::string folder = (std::filesystem::temp_directory_path() / "vprof-bench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr || setenv("VPROF_DIR", folder.c_str(), 1) != 0)
    return 3;
  root(0); // the recorder chooses its clock at the first root
  benchmark::RunSpecifiedBenchmarks();
  std::filesystem::remove_all(folder);
  return 0;
}
