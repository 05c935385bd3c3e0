#include "lock_schedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <initializer_list>
#include <random>
#include <vector>

namespace minidb {
namespace {

using Grants = std::vector<std::size_t>;

Waiter shared(std::int64_t start_ns, std::size_t dependency_size = 1) {
  return {start_ns, LockMode::shared, dependency_size};
}
Waiter exclusive(std::int64_t start_ns, std::size_t dependency_size = 1) {
  return {start_ns, LockMode::exclusive, dependency_size};
}

Grants grants(LockSchedule schedule, const std::vector<Waiter> &waiters, bool held_shared = false) {
  std::mt19937_64 rng(1);
  Grants chosen = choose_grants(schedule, waiters, held_shared, rng);
  std::ranges::sort(chosen);
  return chosen;
}

constexpr std::array all_schedules{LockSchedule::fcfs, LockSchedule::random, LockSchedule::vats,
                                   LockSchedule::ldsf, LockSchedule::bldsf};

TEST(Fcfs, GrantsTheFirstExclusiveWaiterWhateverItsAge) {
  EXPECT_EQ(grants(LockSchedule::fcfs, {exclusive(30), exclusive(10), shared(20)}), Grants{0});
}

TEST(Fcfs, BatchesSharedWaitersUpToTheFirstExclusiveOne) {
  EXPECT_EQ(grants(LockSchedule::fcfs, {shared(30), shared(20), exclusive(10), shared(5)}), (Grants{0, 1}));
}

TEST(Fcfs, KeepsTheQueueWaitingBehindAnExclusiveWaiterThatDoesNotFit) {
  EXPECT_EQ(grants(LockSchedule::fcfs, {exclusive(30), shared(10)}, true), Grants{});
}

TEST(Vats, GrantsTheEldestTransactionNotTheFirstToArrive) {
  EXPECT_EQ(grants(LockSchedule::vats, {exclusive(30), exclusive(10), exclusive(20)}), Grants{1});
}

TEST(Vats, GrantsAllSharedWaitersWithAnEldestSharedOne) {
  EXPECT_EQ(grants(LockSchedule::vats, {shared(30), exclusive(20), shared(10), shared(40)}),
            (Grants{0, 2, 3}));
}

TEST(Vats, DoesNotLetYoungSharedWaitersOvertakeAnEldestExclusiveOne) {
  EXPECT_EQ(grants(LockSchedule::vats, {shared(30), exclusive(10)}), Grants{1});
  EXPECT_EQ(grants(LockSchedule::vats, {shared(30), exclusive(10)}, true), Grants{});
}

TEST(Vats, BreaksTiesByArrival) {
  EXPECT_EQ(grants(LockSchedule::vats, {exclusive(10), exclusive(10)}), Grants{0});
}

TEST(Random, DrawsUniformly) {
  std::mt19937_64 rng(7);
  const std::vector<Waiter> waiters(4, exclusive(0));
  std::array<int, 4> counts{};
  for (int i = 0; i < 4000; ++i)
    ++counts.at(choose_grants(LockSchedule::random, waiters, false, rng).at(0));
  for (const int count : counts) // expected 1000, standard deviation 27
    EXPECT_NEAR(count, 1000, 140);
}

TEST(Ldsf, GrantsTheLargestDependencySet) {
  EXPECT_EQ(grants(LockSchedule::ldsf, {exclusive(1, 2), exclusive(2, 5), exclusive(3, 4)}), Grants{1});
  EXPECT_EQ(grants(LockSchedule::ldsf, {exclusive(1, 3), exclusive(2, 3)}), Grants{0});
}

TEST(Ldsf, CountsSharedWaitersTogether) {
  EXPECT_EQ(grants(LockSchedule::ldsf, {shared(1, 2), exclusive(2, 4), shared(3, 3)}), (Grants{0, 2}));
  EXPECT_EQ(grants(LockSchedule::ldsf, {shared(1, 2), exclusive(2, 6), shared(3, 3)}), Grants{1});
}

TEST(BoundedLdsf, DelayIsLogarithmic) {
  EXPECT_DOUBLE_EQ(batch_delay(1), 1);
  EXPECT_DOUBLE_EQ(batch_delay(3), 2);
  EXPECT_DOUBLE_EQ(batch_delay(7), 3);
}

TEST(BoundedLdsf, LeavesOutSharedWaitersThatSlowTheBatchDown) {
  // 8 / 1 = 8 is better than 9 / log2(3) = 5.7 and 10 / 2 = 5.
  EXPECT_EQ(grants(LockSchedule::bldsf, {shared(1, 1), shared(2, 8), shared(3, 1)}), Grants{1});
}

TEST(BoundedLdsf, TakesAllOfEqualSharedWaiters) {
  // 1 / 1, 2 / log2(3) = 1.26, 3 / 2 = 1.5: each one more is worth it.
  EXPECT_EQ(grants(LockSchedule::bldsf, {shared(1), shared(2), shared(3)}), (Grants{0, 1, 2}));
}

TEST(BoundedLdsf, WeighsTheBatchAgainstTheBestExclusiveWaiter) {
  EXPECT_EQ(grants(LockSchedule::bldsf, {shared(1, 8), exclusive(2, 7), shared(3, 1)}), Grants{0});
  EXPECT_EQ(grants(LockSchedule::bldsf, {shared(1, 8), exclusive(2, 9), shared(3, 1)}), Grants{1});
  EXPECT_EQ(grants(LockSchedule::bldsf, {shared(1, 8), exclusive(2, 9), shared(3, 1)}, true), Grants{});
}

TEST(AllSchedules, ChooseNobodyOutOfNobody) {
  for (const LockSchedule schedule : all_schedules)
    EXPECT_EQ(grants(schedule, {}), Grants{});
}

bool fits(const std::vector<Waiter> &waiters, const Grants &chosen, bool held_shared) {
  const auto is_shared = [&](std::size_t i) { return waiters.at(i).mode == LockMode::shared; };
  return std::ranges::all_of(chosen, is_shared) || (chosen.size() == 1 && !held_shared);
}

TEST(AllSchedules, GrantWhatFitsAndNeverLeaveAFreeLockUnused) {
  std::mt19937_64 rng(3);
  for (int round = 0; round < 2000; ++round) {
    std::vector<Waiter> waiters(1 + rng() % 6);
    for (Waiter &waiter : waiters)
      waiter = {static_cast<std::int64_t>(rng() % 5), rng() % 2 ? LockMode::shared : LockMode::exclusive,
                1 + rng() % 4};
    for (const LockSchedule schedule : all_schedules) {
      const Grants when_free = grants(schedule, waiters, false);
      const Grants when_shared = grants(schedule, waiters, true);
      EXPECT_FALSE(when_free.empty());
      EXPECT_TRUE(fits(waiters, when_free, false));
      EXPECT_TRUE(fits(waiters, when_shared, true));
      EXPECT_EQ(std::ranges::adjacent_find(when_free), when_free.end());
    }
  }
}

} // namespace
} // namespace minidb
