#pragma once

#include "lock_schedule.h"
#include "lock_table.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>

namespace minidb {

/// Thrown out of a transaction that cannot go on. Its owner aborts it and may try again.
class TransactionAborted : public std::runtime_error {
public:
  enum class Reason : std::uint8_t { deadlock, timeout, rollback };

  explicit TransactionAborted(Reason reason) : std::runtime_error("transaction aborted"), reason_(reason) {}
  Reason reason() const { return reason_; }

private:
  Reason reason_;
};

struct LockCounters {
  std::atomic<std::uint64_t> waits = 0;
  std::atomic<std::uint64_t> upgrades = 0;
  std::atomic<std::uint64_t> out_of_order_grants = 0; // somebody who arrived earlier still waits
  std::atomic<std::uint64_t> deadlocks = 0;
  std::atomic<std::uint64_t> timeouts = 0;
};

/// Shared and exclusive locks for strict two-phase locking.
class LockManager {
public:
  LockManager(LockSchedule schedule, std::chrono::milliseconds timeout, std::uint64_t seed);

  /// Returns with the lock held in `mode` or a stronger one, or throws TransactionAborted when the owner
  /// was chosen to break a deadlock or has waited too long. Held shared locks are upgraded.
  void acquire(LockOwner &owner, ObjectId object, LockMode mode);

  /// Releases all locks at the end of the transaction and grants them to others.
  void release_all(LockOwner &owner);

  const LockCounters &counters() const { return counters_; }

private:
  bool lock_fast_path(LockOwner &owner, ObjectId object, LockMode mode);
  void lock_slow_path(LockOwner &owner, ObjectId object, LockMode mode);
  LockOutcome wait_for_grant(LockOwner &owner);
  LockOutcome cancel_wait(LockOwner &owner, ObjectId object);

  void enqueue(LockQueue &queue, LockOwner &owner, ObjectId object, LockMode mode);
  void break_deadlocks(LockOwner &requester);
  void deny(LockOwner &waiter, LockOutcome outcome);
  void release(LockOwner &owner, ObjectId object);

  void grant_waiters(LockShard &shard, ObjectId object);
  void grant_scheduled(LockShard &shard, LockQueue &queue, ObjectId object);
  std::vector<Waiter> describe_waiters(const LockQueue &queue) const;
  bool needs_dependency_sizes() const;

  const LockSchedule schedule_;
  const std::chrono::milliseconds timeout_;
  LockTable table_;
  LockCounters counters_;
};

} // namespace minidb
