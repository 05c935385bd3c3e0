#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace minidb {

enum class LockMode : std::uint8_t { shared, exclusive };

/// Who is granted a lock when it is released.
///  fcfs    in the order of arrival at this lock
///  random  a waiter drawn uniformly
///  vats    the eldest transaction (Huang et al., SIGMOD 2017)
///  ldsf    the largest dependency set (Tian et al., PVLDB 11(5), 2018)
///  bldsf   ldsf with batches of shared waiters bounded by their mutual delay (same paper)
enum class LockSchedule : std::uint8_t { fcfs, random, vats, ldsf, bldsf };

/// What a schedule may know of a request that waits.
struct Waiter {
  std::int64_t txn_start_ns = 0; // of the transaction, not of the wait
  LockMode mode = LockMode::exclusive;
  std::size_t dependency_size = 1; // transactions waiting for this one, directly or not, itself included
};

/// Expected slowdown of `batch_size` transactions that run side by side: log2(1 + k).
double batch_delay(std::size_t batch_size);

/// Chooses which waiters get the lock now, as indices into `waiters`, which stand in order of arrival.
/// `held_shared` says that other transactions still hold the lock in shared mode, so that only shared
/// requests fit. The choice is one exclusive waiter or some shared ones. It is empty only if nobody
/// waits or if the schedule prefers an exclusive waiter that does not fit yet. Ties go to the waiter
/// that arrived first.
std::vector<std::size_t> choose_grants(LockSchedule schedule, std::span<const Waiter> waiters,
                                       bool held_shared, std::mt19937_64 &rng);

} // namespace minidb
