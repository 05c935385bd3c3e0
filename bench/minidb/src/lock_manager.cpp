#include "lock_manager.h"

#include "wait_graph.h"

#include <algorithm>

namespace minidb {
namespace {

HeldLock *find_held(LockOwner &owner, ObjectId object) {
  const auto found = std::ranges::find(owner.held, object, &HeldLock::object);
  return found == owner.held.end() ? nullptr : &*found;
}

LockQueue::Entry *find_holder(LockQueue &queue, const LockOwner &owner) {
  const auto found = std::ranges::find(queue.holders, &owner, &LockQueue::Entry::owner);
  return found == queue.holders.end() ? nullptr : &*found;
}

void add_holder(LockQueue &queue, LockOwner &owner, ObjectId object, LockMode mode) {
  if (LockQueue::Entry *const holder = find_holder(queue, owner)) { // an upgrade
    holder->mode = mode;
    find_held(owner, object)->mode = mode;
    return;
  }
  queue.holders.push_back({&owner, mode, false});
  owner.held.push_back({object, mode});
}

/// Ends a wait. Under the owner's mutex to the end: once it has seen the outcome, it may be gone.
void settle(LockOwner &owner, LockOutcome outcome) {
  owner.waits_for.reset();
  const std::lock_guard lock(owner.wait_mutex);
  owner.outcome = outcome;
  owner.wake_up.notify_one();
}

/// Can the request be granted without overtaking anybody?
bool is_free_for(LockQueue &queue, const LockOwner &owner, LockMode mode) {
  if (find_holder(queue, owner))
    return queue.holders.size() == 1; // only upgrades come here
  if (queue.holders.empty())
    return true;
  return mode == LockMode::shared && !queue.held_exclusively() && queue.waiters.empty();
}

void throw_if_denied(LockOutcome outcome) {
  if (outcome == LockOutcome::deadlock)
    throw TransactionAborted(TransactionAborted::Reason::deadlock);
  if (outcome == LockOutcome::timeout)
    throw TransactionAborted(TransactionAborted::Reason::timeout);
}

} // namespace

LockManager::LockManager(LockSchedule schedule, std::chrono::milliseconds timeout, std::uint64_t seed)
    : schedule_(schedule), timeout_(timeout), table_(seed) {}

void LockManager::acquire(LockOwner &owner, ObjectId object, LockMode mode) {
  if (lock_fast_path(owner, object, mode))
    return;
  lock_slow_path(owner, object, mode);
  LockOutcome outcome = wait_for_grant(owner);
  if (outcome == LockOutcome::pending)
    outcome = cancel_wait(owner, object);
  throw_if_denied(outcome);
}

bool LockManager::lock_fast_path(LockOwner &owner, ObjectId object, LockMode mode) {
  const HeldLock *const held = find_held(owner, object);
  if (held && (held->mode == LockMode::exclusive || mode == LockMode::shared))
    return true;
  LockShard &shard = table_.shard(object);
  const std::lock_guard lock(shard.mutex);
  LockQueue &queue = shard.queues[object];
  if (!is_free_for(queue, owner, mode))
    return false;
  if (held)
    ++counters_.upgrades;
  add_holder(queue, owner, object, mode);
  return true;
}

/// Joins the queue and looks for a deadlock. The whole table stands still meanwhile: the graph is exact,
/// and of two transactions that close a cycle at the same time the second one sees the first.
void LockManager::lock_slow_path(LockOwner &owner, ObjectId object, LockMode mode) {
  const LockTable::AllShards all = table_.lock_all();
  LockShard &shard = table_.shard(object);
  LockQueue &queue = shard.queues[object];
  if (is_free_for(queue, owner, mode)) { // released since the fast path looked
    add_holder(queue, owner, object, mode);
    settle(owner, LockOutcome::granted);
    return;
  }
  ++counters_.waits;
  enqueue(queue, owner, object, mode);
  break_deadlocks(owner);
}

LockOutcome LockManager::wait_for_grant(LockOwner &owner) {
  std::unique_lock lock(owner.wait_mutex);
  owner.wake_up.wait_for(lock, timeout_, [&] { return owner.outcome != LockOutcome::pending; });
  return owner.outcome;
}

/// The wait timed out; a grant may have crossed with that.
LockOutcome LockManager::cancel_wait(LockOwner &owner, ObjectId object) {
  const LockTable::AllShards all = table_.lock_all();
  if (owner.waits_for == object) {
    ++counters_.timeouts;
    deny(owner, LockOutcome::timeout);
  }
  return owner.outcome; // written under a shard's mutex, and we hold them all
}

void LockManager::enqueue(LockQueue &queue, LockOwner &owner, ObjectId object, LockMode mode) {
  const bool upgrade = find_holder(queue, owner) != nullptr;
  if (upgrade)
    ++counters_.upgrades;
  queue.waiters.insert(upgrade ? queue.waiters.begin() : queue.waiters.end(), {&owner, mode, upgrade});
  owner.waits_for = object;
  const std::lock_guard lock(owner.wait_mutex);
  owner.outcome = LockOutcome::pending;
}

/// Aborts the youngest member of each cycle: it has lost the least work, and since age survives a retry
/// nobody is the victim forever.
void LockManager::break_deadlocks(LockOwner &requester) {
  while (requester.waits_for) {
    const std::vector<LockOwner *> cycle = find_cycle(table_, requester);
    if (cycle.empty())
      return;
    LockOwner *const victim = *std::ranges::max_element(cycle, {}, &LockOwner::start_ns);
    ++counters_.deadlocks;
    deny(*victim, LockOutcome::deadlock);
  }
}

/// Takes a waiter out of its queue. Those behind it may fit now.
void LockManager::deny(LockOwner &waiter, LockOutcome outcome) {
  const ObjectId object = *waiter.waits_for;
  LockShard &shard = table_.shard(object);
  std::erase_if(shard.queues[object].waiters,
                [&](const LockQueue::Entry &entry) { return entry.owner == &waiter; });
  settle(waiter, outcome);
  grant_waiters(shard, object);
}

void LockManager::release_all(LockOwner &owner) {
  for (const HeldLock &lock : owner.held)
    release(owner, lock.object);
  owner.held.clear();
}

void LockManager::release(LockOwner &owner, ObjectId object) {
  LockTable::AllShards all;
  LockShard &shard = table_.shard(object);
  std::unique_lock<std::mutex> one;
  if (needs_dependency_sizes())
    all = table_.lock_all();
  else
    one = std::unique_lock(shard.mutex);

  LockQueue &queue = shard.queues[object];
  std::erase_if(queue.holders, [&](const LockQueue::Entry &entry) { return entry.owner == &owner; });
  grant_waiters(shard, object);
  if (queue.holders.empty())
    shard.queues.erase(object);
}

/// An upgrade goes first: as long as it waits, its own shared lock keeps all writers out.
void LockManager::grant_waiters(LockShard &shard, ObjectId object) {
  LockQueue &queue = shard.queues[object];
  if (queue.waiters.empty() || queue.held_exclusively())
    return;
  const LockQueue::Entry first = queue.waiters.front();
  if (!first.upgrade) {
    grant_scheduled(shard, queue, object);
    return;
  }
  if (queue.holders.size() > 1)
    return;
  queue.waiters.erase(queue.waiters.begin());
  add_holder(queue, *first.owner, object, first.mode);
  settle(*first.owner, LockOutcome::granted);
}

void LockManager::grant_scheduled(LockShard &shard, LockQueue &queue, ObjectId object) {
  std::vector<std::size_t> chosen =
      choose_grants(schedule_, describe_waiters(queue), !queue.holders.empty(), shard.rng);
  std::ranges::sort(chosen);
  for (std::size_t granted = 0; granted < chosen.size(); ++granted) {
    const std::size_t position = chosen[granted] - granted; // those before it have left the queue
    const LockQueue::Entry entry = queue.waiters[position];
    if (position > 0)
      ++counters_.out_of_order_grants;
    queue.waiters.erase(queue.waiters.begin() + static_cast<std::ptrdiff_t>(position));
    add_holder(queue, *entry.owner, object, entry.mode);
    settle(*entry.owner, LockOutcome::granted);
  }
}

std::vector<Waiter> LockManager::describe_waiters(const LockQueue &queue) const {
  std::vector<Waiter> waiters;
  waiters.reserve(queue.waiters.size());
  for (const LockQueue::Entry &entry : queue.waiters) {
    const std::size_t size = needs_dependency_sizes() ? dependency_size(table_, *entry.owner) : 1;
    waiters.push_back({entry.owner->start_ns, entry.mode, size});
  }
  return waiters;
}

bool LockManager::needs_dependency_sizes() const {
  return schedule_ == LockSchedule::ldsf || schedule_ == LockSchedule::bldsf;
}

} // namespace minidb
