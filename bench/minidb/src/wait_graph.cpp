#include "wait_graph.h"

#include <unordered_map>
#include <unordered_set>

namespace minidb {
namespace {

std::vector<LockOwner *> blockers(const LockTable &table, const LockOwner &waiter) {
  std::vector<LockOwner *> found;
  const LockQueue *queue = waiter.waits_for ? table.find(*waiter.waits_for) : nullptr;
  if (!queue)
    return found;
  for (const LockQueue::Entry &holder : queue->holders)
    if (holder.owner != &waiter)
      found.push_back(holder.owner);
  return found;
}

std::vector<LockOwner *> dependents(const LockTable &table, const LockOwner &holder) {
  std::vector<LockOwner *> found;
  for (const HeldLock &lock : holder.held)
    if (const LockQueue *queue = table.find(lock.object))
      for (const LockQueue::Entry &waiter : queue->waiters)
        if (waiter.owner != &holder)
          found.push_back(waiter.owner);
  return found;
}

} // namespace

std::vector<LockOwner *> find_cycle(const LockTable &table, LockOwner &start) {
  std::unordered_map<LockOwner *, LockOwner *> reached_from;
  std::vector<LockOwner *> open{&start};
  while (!open.empty()) {
    LockOwner *const waiter = open.back();
    open.pop_back();
    for (LockOwner *const blocker : blockers(table, *waiter)) {
      if (blocker == &start) {
        std::vector<LockOwner *> cycle;
        for (LockOwner *member = waiter; member != &start; member = reached_from.at(member))
          cycle.push_back(member);
        cycle.push_back(&start);
        return {cycle.rbegin(), cycle.rend()};
      }
      if (reached_from.emplace(blocker, waiter).second)
        open.push_back(blocker);
    }
  }
  return {};
}

std::size_t dependency_size(const LockTable &table, const LockOwner &owner) {
  std::unordered_set<const LockOwner *> seen{&owner};
  std::vector<const LockOwner *> open{&owner};
  while (!open.empty()) {
    const LockOwner *const holder = open.back();
    open.pop_back();
    for (const LockOwner *const waiter : dependents(table, *holder))
      if (seen.insert(waiter).second)
        open.push_back(waiter);
  }
  return seen.size();
}

} // namespace minidb
