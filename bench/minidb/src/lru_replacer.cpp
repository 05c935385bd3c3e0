#include "lru_replacer.h"

#include <algorithm>

namespace minidb {

void LruReplacer::insert(PageId id) {
  const std::lock_guard lock(mutex_);
  list_.insert(id);
}

void LruReplacer::make_young(PageId id, LruBacklog &backlog) {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (update_ == LruUpdate::mutex || backlog.size() >= backlog_limit) {
    lock.lock();
  } else if (std::ranges::find(backlog, id) != backlog.end()) {
    return; // spinning once per page is enough
  } else if (lock_within_spin_limit()) {
    lock = std::unique_lock(mutex_, std::adopt_lock);
  } else {
    backlog.push_back(id);
    ++counters_.deferred;
    return;
  }
  work_off(backlog);
  counters_.moves += list_.make_young(id) ? 1 : 0;
}

/// The clock is read on the contended path only.
bool LruReplacer::lock_within_spin_limit() {
  if (mutex_.try_lock())
    return true;
  const std::int64_t deadline_ns = now_ns() + std::chrono::nanoseconds(spin_limit).count();
  while (now_ns() < deadline_ns)
    if (mutex_.try_lock())
      return true;
  return false;
}

void LruReplacer::work_off(LruBacklog &backlog) {
  for (const PageId id : backlog)
    ++(list_.make_young(id) ? counters_.moves : counters_.dropped);
  backlog.clear();
}

std::optional<PageId> LruReplacer::find_victim(const std::function<bool(PageId)> &claim) {
  const std::lock_guard lock(mutex_);
  std::optional<PageId> victim;
  list_.find_from_tail([&](PageId id) {
    if (claim(id))
      victim = id;
    return victim.has_value();
  });
  return victim;
}

bool LruReplacer::remove_if(PageId id, const std::function<bool()> &detach) {
  const std::lock_guard lock(mutex_);
  if (!detach())
    return false;
  list_.remove(id);
  return true;
}

} // namespace minidb
