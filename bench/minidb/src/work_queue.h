#pragma once

#include "request.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

namespace minidb {

struct Job {
  std::int64_t arrival_ns = 0; // as scheduled; a late driver does not make the latency look better
  Request request;
};

/// Requests between the driver and the workers.
class WorkQueue {
public:
  void push(Job job);

  /// The next job; waits for one. Empty when no more will come.
  std::optional<Job> pop();

  /// No more jobs will be pushed. Those still queued at `deadline_ns` are not served.
  void close(std::int64_t deadline_ns);

  std::size_t size() const;

private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  std::optional<std::int64_t> deadline_ns_; // once closed
};

} // namespace minidb
