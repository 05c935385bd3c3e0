#include "driver.h"

#include "work_queue.h"

#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace minidb {
namespace {

constexpr std::int64_t drain_limit_ns = 2'000'000'000;

/// The first failure of any worker; it ends the run.
class FirstFailure {
public:
  void capture(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_)
      failure_ = std::move(failure);
  }
  bool happened() const {
    const std::lock_guard lock(mutex_);
    return failure_ != nullptr;
  }
  void rethrow_if_any() const {
    if (failure_)
      std::rethrow_exception(failure_);
  }

private:
  mutable std::mutex mutex_;
  std::exception_ptr failure_;
};

void sleep_until_ns(std::int64_t time_ns) {
  const std::chrono::steady_clock::time_point time{std::chrono::nanoseconds(time_ns)};
  std::this_thread::sleep_until(time);
}

/// Pushes requests as they fall due; returns how many.
std::size_t offer_load(const Options &options, RequestSource &source, WorkQueue &queue,
                       const FirstFailure &failure) {
  std::mt19937_64 rng(options.engine.seed);
  std::exponential_distribution<double> unit_gap;
  const double gap_ns = 1e9 / options.rate_per_s;
  const std::int64_t start_ns = now_ns();
  double due_ns = 0; // since start_ns
  std::size_t count = 0;
  for (; due_ns < options.seconds * 1e9 && !failure.happened(); ++count) {
    Job job{start_ns + static_cast<std::int64_t>(due_ns), source.next(rng)};
    sleep_until_ns(job.arrival_ns);
    queue.push(std::move(job));
    due_ns += options.arrivals == Arrivals::poisson ? gap_ns * unit_gap(rng) : gap_ns;
  }
  return count;
}

void add(WorkerLog &sum, const WorkerLog &log) {
  sum.samples.insert(sum.samples.end(), log.samples.begin(), log.samples.end());
  sum.totals.add(log.totals);
  sum.retries += log.retries;
  sum.rollbacks += log.rollbacks;
}

} // namespace

RunResult run_load(Engine &engine, const Options &options, const TpccScale &scale, RequestSource &source) {
  WorkQueue queue;
  FirstFailure failure;
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < options.workers; ++i) {
    workers.push_back(std::make_unique<Worker>(engine, scale, options.round_trip, options.think_in_lock));
    threads.emplace_back([&queue, &failure, worker = workers.back().get()] {
      try {
        worker->run(queue);
      } catch (...) {
        failure.capture(std::current_exception());
      }
    });
  }

  const std::int64_t start_ns = now_ns();
  const std::size_t offered = offer_load(options, source, queue, failure);
  queue.close(now_ns() + drain_limit_ns);
  for (std::thread &thread : threads)
    thread.join();
  failure.rethrow_if_any();

  RunResult result;
  for (const std::unique_ptr<Worker> &worker : workers)
    add(result.log, worker->log());
  const double elapsed_s = static_cast<double>(now_ns() - start_ns) / 1e9;
  result.offered_per_s = static_cast<double>(offered) / options.seconds;
  result.achieved_per_s = static_cast<double>(result.log.samples.size()) / elapsed_s;
  result.unserved = queue.size();
  return result;
}

} // namespace minidb
