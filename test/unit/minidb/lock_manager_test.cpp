#include "lock_manager.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace minidb {
namespace {

using Reason = TransactionAborted::Reason;
using std::chrono::milliseconds;

constexpr milliseconds patience{20000};

LockManager make_manager(LockSchedule schedule, milliseconds timeout = patience) {
  return LockManager(schedule, timeout, 1);
}

/// Returns once `count` requests in all have had to wait: lets a test fix the order of arrival.
void await_waits(const LockManager &manager, std::uint64_t count) {
  while (manager.counters().waits < count)
    std::this_thread::yield();
}

/// A transaction of its own thread that wants one lock, notes when it got it, and ends.
class Contender {
public:
  Contender(LockManager &manager, std::int64_t start_ns, ObjectId object, LockMode mode,
            std::function<void()> on_grant)
      : thread_([=, this, &manager] {
          owner_.start_ns = start_ns;
          manager.acquire(owner_, object, mode);
          on_grant();
          manager.release_all(owner_);
        }) {}

private:
  LockOwner owner_;
  std::jthread thread_; // last: joins before the rest goes
};

std::vector<int> grant_order(LockSchedule schedule, const std::vector<std::int64_t> &start_times) {
  LockManager manager(schedule, patience, 1);
  LockOwner holder;
  manager.acquire(holder, 1, LockMode::exclusive);
  std::mutex mutex;
  std::vector<int> order;
  {
    std::vector<std::unique_ptr<Contender>> contenders;
    for (std::size_t i = 0; i < start_times.size(); ++i) {
      contenders.push_back(
          std::make_unique<Contender>(manager, start_times[i], 1, LockMode::exclusive, [&, i] {
            const std::lock_guard lock(mutex);
            order.push_back(static_cast<int>(i));
          }));
      await_waits(manager, i + 1);
    }
    manager.release_all(holder);
  }
  return order;
}

TEST(LockManager, FcfsGrantsInOrderOfArrival) {
  EXPECT_EQ(grant_order(LockSchedule::fcfs, {30, 10, 20}), (std::vector{0, 1, 2}));
}

TEST(LockManager, VatsGrantsInOrderOfAge) {
  EXPECT_EQ(grant_order(LockSchedule::vats, {30, 10, 20}), (std::vector{1, 2, 0}));
}

TEST(LockManager, LdsfPrefersTheTransactionThatOthersWaitFor) {
  LockManager manager(LockSchedule::ldsf, patience, 1);
  LockOwner holder;
  LockOwner popular;
  manager.acquire(holder, 1, LockMode::exclusive);
  manager.acquire(popular, 2, LockMode::exclusive);
  std::vector<std::string> order; // each entry is made while holding lock 1
  {
    Contender first(manager, 1, 1, LockMode::exclusive, [&] { order.push_back("first"); });
    await_waits(manager, 1);
    std::jthread popular_thread([&] {
      manager.acquire(popular, 1, LockMode::exclusive);
      order.push_back("popular");
      manager.release_all(popular);
    });
    await_waits(manager, 2);
    Contender dependent(manager, 2, 2, LockMode::exclusive, [] {});
    await_waits(manager, 3);
    manager.release_all(holder);
  }
  EXPECT_EQ(order, (std::vector<std::string>{"popular", "first"}));
  EXPECT_EQ(manager.counters().out_of_order_grants, 1U);
}

TEST(LockManager, SharedLocksGoTogetherAndAreReentrant) {
  LockManager manager = make_manager(LockSchedule::fcfs);
  LockOwner a;
  LockOwner b;
  manager.acquire(a, 1, LockMode::shared);
  manager.acquire(b, 1, LockMode::shared);
  manager.acquire(a, 1, LockMode::shared);
  EXPECT_EQ(a.held.size(), 1U);
  manager.release_all(a);
  manager.acquire(b, 1, LockMode::exclusive); // alone now: upgraded at once
  EXPECT_EQ(b.held.at(0).mode, LockMode::exclusive);
  EXPECT_EQ(manager.counters().waits, 0U);
  EXPECT_EQ(manager.counters().upgrades, 1U);
  manager.release_all(b);
}

TEST(LockManager, SharedRequestDoesNotOvertakeAWaitingWriter) {
  LockManager manager = make_manager(LockSchedule::fcfs);
  LockOwner reader;
  manager.acquire(reader, 1, LockMode::shared);
  std::vector<char> order;
  {
    Contender writer(manager, 1, 1, LockMode::exclusive, [&] { order.push_back('X'); });
    await_waits(manager, 1);
    Contender late_reader(manager, 2, 1, LockMode::shared, [&] { order.push_back('S'); });
    await_waits(manager, 2);
    manager.release_all(reader);
  }
  EXPECT_EQ(order, (std::vector{'X', 'S'}));
}

TEST(LockManager, UpgradeWaitsForOtherReadersAndGoesBeforeWriters) {
  LockManager manager = make_manager(LockSchedule::fcfs);
  LockOwner upgrader;
  LockOwner reader;
  manager.acquire(upgrader, 1, LockMode::shared);
  manager.acquire(reader, 1, LockMode::shared);
  std::vector<char> order;
  {
    Contender writer(manager, 1, 1, LockMode::exclusive, [&] { order.push_back('X'); });
    await_waits(manager, 1);
    std::jthread upgrade([&] {
      manager.acquire(upgrader, 1, LockMode::exclusive);
      order.push_back('U');
      manager.release_all(upgrader);
    });
    await_waits(manager, 2);
    manager.release_all(reader);
  }
  EXPECT_EQ(order, (std::vector{'U', 'X'}));
}

/// Acquires `object`; tells why not, if so.
std::optional<Reason> try_acquire(LockManager &manager, LockOwner &owner, ObjectId object, LockMode mode) {
  try {
    manager.acquire(owner, object, mode);
    return std::nullopt;
  } catch (const TransactionAborted &aborted) {
    return aborted.reason();
  }
}

TEST(LockManager, TwoUpgradesDeadlockAndTheYoungerIsAborted) {
  LockManager manager = make_manager(LockSchedule::vats);
  LockOwner old_one;
  LockOwner young_one;
  old_one.start_ns = 1;
  young_one.start_ns = 2;
  manager.acquire(old_one, 1, LockMode::shared);
  manager.acquire(young_one, 1, LockMode::shared);
  std::optional<Reason> old_result = Reason::timeout;
  std::jthread old_thread([&] { old_result = try_acquire(manager, old_one, 1, LockMode::exclusive); });
  await_waits(manager, 1);
  EXPECT_EQ(try_acquire(manager, young_one, 1, LockMode::exclusive), Reason::deadlock);
  manager.release_all(young_one);
  old_thread.join();
  EXPECT_EQ(old_result, std::nullopt);
  EXPECT_EQ(manager.counters().deadlocks, 1U);
  manager.release_all(old_one);
}

TEST(LockManager, AbortsTheYoungestOfACycleEvenIfAnotherClosesIt) {
  LockManager manager = make_manager(LockSchedule::fcfs);
  LockOwner old_one;
  LockOwner young_one;
  old_one.start_ns = 1;
  young_one.start_ns = 2;
  manager.acquire(old_one, 1, LockMode::exclusive);
  manager.acquire(young_one, 2, LockMode::exclusive);
  std::jthread young_thread([&] {
    EXPECT_EQ(try_acquire(manager, young_one, 1, LockMode::exclusive), Reason::deadlock);
    manager.release_all(young_one);
  });
  await_waits(manager, 1);
  EXPECT_EQ(try_acquire(manager, old_one, 2, LockMode::exclusive), std::nullopt); // closes the cycle
  young_thread.join();
  EXPECT_EQ(manager.counters().deadlocks, 1U);
  manager.release_all(old_one);
}

TEST(LockManager, TimesOutAndLetsThoseBehindPass) {
  LockManager manager = make_manager(LockSchedule::fcfs, milliseconds(50));
  LockOwner reader;
  LockOwner writer;
  manager.acquire(reader, 1, LockMode::shared);
  bool granted = false;
  {
    std::jthread writer_thread(
        [&] { EXPECT_EQ(try_acquire(manager, writer, 1, LockMode::exclusive), Reason::timeout); });
    await_waits(manager, 1);
    std::this_thread::sleep_for(milliseconds(25)); // so that the writer's time is up first
    Contender late_reader(manager, 2, 1, LockMode::shared, [&] { granted = true; });
  }
  EXPECT_TRUE(granted);
  EXPECT_EQ(manager.counters().timeouts, 1U);
  manager.release_all(reader);
}

class LockManagerStress : public ::testing::TestWithParam<LockSchedule> {};

/// Increments of plain counters under random locks, deadlocks included: none may get lost.
TEST_P(LockManagerStress, LosesNoUpdateAndEndsEveryTransaction) {
  constexpr std::size_t object_count = 6;
  constexpr int transactions = 150;
  LockManager manager(GetParam(), patience, 1);
  std::vector<std::int64_t> values(object_count, 0);
  std::atomic<std::int64_t> written = 0;
  const auto work = [&](std::uint64_t seed) {
    std::mt19937_64 rng(seed);
    for (int i = 0; i < transactions; ++i) {
      LockOwner owner;
      owner.start_ns = now_ns();
      for (bool done = false; !done;) {
        try {
          for (int step = 0; step < 3; ++step) {
            const ObjectId object = rng() % object_count;
            const bool write = rng() % 2 == 0;
            manager.acquire(owner, object, write ? LockMode::exclusive : LockMode::shared);
            if (write) {
              ++values[object];
              ++written;
            }
            std::this_thread::yield();
          }
          done = true;
        } catch (const TransactionAborted &aborted) {
          EXPECT_EQ(aborted.reason(), Reason::deadlock);
        }
        manager.release_all(owner);
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t seed = 0; seed < 6; ++seed)
      threads.emplace_back(work, seed);
  }
  std::int64_t sum = 0;
  for (const std::int64_t value : values)
    sum += value;
  EXPECT_EQ(sum, written);
  EXPECT_GT(manager.counters().waits, 0U);
}

INSTANTIATE_TEST_SUITE_P(Schedules, LockManagerStress,
                         ::testing::Values(LockSchedule::fcfs, LockSchedule::random, LockSchedule::vats,
                                           LockSchedule::ldsf, LockSchedule::bldsf));

} // namespace
} // namespace minidb
