#include "work_queue.h"

#include "types.h"

#include <utility>

namespace minidb {

void WorkQueue::push(Job job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_one();
}

std::optional<Job> WorkQueue::pop() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !jobs_.empty() || deadline_ns_; });
  if (jobs_.empty() || (deadline_ns_ && now_ns() > *deadline_ns_))
    return std::nullopt;
  Job job = std::move(jobs_.front());
  jobs_.pop_front();
  return job;
}

void WorkQueue::close(std::int64_t deadline_ns) {
  {
    const std::lock_guard lock(mutex_);
    deadline_ns_ = deadline_ns;
  }
  changed_.notify_all();
}

std::size_t WorkQueue::size() const {
  const std::lock_guard lock(mutex_);
  return jobs_.size();
}

} // namespace minidb
