#include "lock_schedule.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace minidb {
namespace {

using Indices = std::vector<std::size_t>;

Indices shared_waiters(std::span<const Waiter> waiters) {
  Indices found;
  for (std::size_t i = 0; i < waiters.size(); ++i)
    if (waiters[i].mode == LockMode::shared)
      found.push_back(i);
  return found;
}

/// Grants the preferred waiter. A shared grant costs the other shared waiters nothing to join.
Indices grant_with_compatible(std::span<const Waiter> waiters, std::size_t preferred, bool held_shared) {
  if (waiters[preferred].mode == LockMode::shared)
    return shared_waiters(waiters);
  return held_shared ? Indices{} : Indices{preferred};
}

/// Only the shared waiters in front of the first exclusive one may join: nobody overtakes.
Indices first_come(std::span<const Waiter> waiters, bool held_shared) {
  if (waiters.front().mode == LockMode::exclusive)
    return held_shared ? Indices{} : Indices{0};
  Indices grants;
  for (std::size_t i = 0; i < waiters.size() && waiters[i].mode == LockMode::shared; ++i)
    grants.push_back(i);
  return grants;
}

std::size_t eldest(std::span<const Waiter> waiters) {
  const auto found = std::ranges::min_element(waiters, {}, &Waiter::txn_start_ns);
  return static_cast<std::size_t>(found - waiters.begin());
}

/// The exclusive waiter with the largest dependency set, or waiters.size() if there is none.
std::size_t largest_exclusive(std::span<const Waiter> waiters) {
  std::size_t best = waiters.size();
  for (std::size_t i = 0; i < waiters.size(); ++i) {
    if (waiters[i].mode == LockMode::shared)
      continue;
    if (best == waiters.size() || waiters[i].dependency_size > waiters[best].dependency_size)
      best = i;
  }
  return best;
}

struct Batch {
  Indices members;
  double weight = 0; // dependency sizes over the delay of the batch
};

/// All shared waiters; the delay they cause each other is ignored.
Batch whole_batch(std::span<const Waiter> waiters) {
  Batch batch{shared_waiters(waiters), 0};
  for (const std::size_t i : batch.members)
    batch.weight += static_cast<double>(waiters[i].dependency_size);
  return batch;
}

/// The shared waiters, largest first, cut where sum(dependency sizes) / f(k) peaks.
Batch bounded_batch(std::span<const Waiter> waiters) {
  Indices order = shared_waiters(waiters);
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const std::size_t size_a = waiters[a].dependency_size;
    const std::size_t size_b = waiters[b].dependency_size;
    return size_a != size_b ? size_a > size_b : a < b;
  });
  Batch best;
  std::size_t best_size = 0;
  double sum = 0;
  for (std::size_t k = 1; k <= order.size(); ++k) {
    sum += static_cast<double>(waiters[order[k - 1]].dependency_size);
    const double weight = sum / batch_delay(k);
    if (weight > best.weight) {
      best.weight = weight;
      best_size = k;
    }
  }
  order.resize(best_size);
  best.members = std::move(order);
  return best;
}

/// The better of a shared batch and the best exclusive waiter.
Indices heavier(std::span<const Waiter> waiters, Batch batch, bool held_shared) {
  const std::size_t exclusive = largest_exclusive(waiters);
  if (exclusive == waiters.size() || batch.weight >= static_cast<double>(waiters[exclusive].dependency_size))
    return std::move(batch.members);
  return grant_with_compatible(waiters, exclusive, held_shared);
}

} // namespace

double batch_delay(std::size_t batch_size) {
  return std::log2(1.0 + static_cast<double>(batch_size));
}

std::vector<std::size_t> choose_grants(LockSchedule schedule, std::span<const Waiter> waiters,
                                       bool held_shared, std::mt19937_64 &rng) {
  if (waiters.empty())
    return {};
  switch (schedule) {
  case LockSchedule::fcfs:
    return first_come(waiters, held_shared);
  case LockSchedule::random: {
    std::uniform_int_distribution<std::size_t> draw(0, waiters.size() - 1);
    return grant_with_compatible(waiters, draw(rng), held_shared);
  }
  case LockSchedule::vats:
    return grant_with_compatible(waiters, eldest(waiters), held_shared);
  case LockSchedule::ldsf:
    return heavier(waiters, whole_batch(waiters), held_shared);
  case LockSchedule::bldsf:
    return heavier(waiters, bounded_batch(waiters), held_shared);
  }
  return {};
}

} // namespace minidb
