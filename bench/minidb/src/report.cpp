#include "report.h"

#include "latency_summary.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace minidb {
namespace {

template <typename Select>
std::vector<std::int64_t> collect(const std::vector<Sample> &samples, std::int64_t Sample::*value,
                                  Select select) {
  std::vector<std::int64_t> values;
  for (const Sample &sample : samples)
    if (select(sample))
      values.push_back(sample.*value);
  return values;
}

void print_row(const char *label, const LatencySummary &row) {
  std::printf("%-14s %8zu %8.3f %8.3f %6.2f %8.3f %8.3f %8.3f %8.3f %8.3f\n", label, row.count, row.mean_ms,
              row.stddev_ms, row.variation, row.p50_ms, row.p95_ms, row.p99_ms, row.p999_ms, row.max_ms);
}

void print_latencies(const std::vector<Sample> &samples) {
  std::printf("%-14s %8s %8s %8s %6s %8s %8s %8s %8s %8s\n", "latency (ms)", "count", "mean", "stddev", "cv",
              "p50", "p95", "p99", "p99.9", "max");
  const auto any = [](const Sample &) { return true; };
  print_row("from arrival", summarize(collect(samples, &Sample::latency_ns, any)));
  print_row("service", summarize(collect(samples, &Sample::service_ns, any)));
  for (std::size_t kind = 0; kind < request_kind_names.size(); ++kind) {
    const auto of_kind = [&](const Sample &sample) { return static_cast<std::size_t>(sample.kind) == kind; };
    if (std::ranges::any_of(samples, of_kind))
      print_row(request_kind_names[kind], summarize(collect(samples, &Sample::service_ns, of_kind)));
  }
}

void print_count(const char *label, std::uint64_t count) {
  std::printf("  %-26s %10llu\n", label, static_cast<unsigned long long>(count));
}

void print_counters(const WorkerLog &log, const Engine &engine, const LockCounters &locks) {
  std::printf("locks\n");
  print_count("waits", locks.waits);
  print_count("grants out of order", locks.out_of_order_grants);
  print_count("upgrades", locks.upgrades);
  print_count("aborts by deadlock", locks.deadlocks);
  print_count("aborts by timeout", locks.timeouts);
  print_count("retries", log.retries);
  print_count("rollbacks", log.rollbacks);
  const PoolCounters &pool = engine.pool().counters();
  const LruCounters &lru = engine.pool().lru_counters();
  std::printf("buffer pool\n");
  print_count("hits", pool.hits);
  print_count("misses", pool.misses);
  print_count("pages written back", pool.write_backs);
  print_count("lru moves", lru.moves);
  print_count("lru moves deferred", lru.deferred);
  print_count("deferred, then evicted", lru.dropped);
  const double commits = static_cast<double>(engine.log().commit_count());
  const std::uint64_t syncs = engine.log().sync_count();
  std::printf("log\n");
  print_count("commits", engine.log().commit_count());
  print_count("syncs", syncs);
  std::printf("  %-26s %10.1f\n", "commits per sync", syncs > 0 ? commits / static_cast<double>(syncs) : 0);
}

} // namespace

void print_report(const RunResult &result, const Engine &engine) {
  std::printf("throughput     offered %.1f/s, achieved %.1f/s, unserved %zu\n\n", result.offered_per_s,
              result.achieved_per_s, result.unserved);
  print_latencies(result.log.samples);
  std::printf("\n");
  print_counters(result.log, engine, engine.locks().counters());
}

} // namespace minidb
