#include "lru_replacer.h"

#include <gtest/gtest.h>
#include <latch>
#include <thread>
#include <vector>

namespace minidb {
namespace {

/// Keeps the list's mutex locked by another thread during `action`.
template <typename Action>
void while_list_is_busy(LruReplacer &replacer, Action action) {
  std::latch locked(1);
  std::latch done(1);
  std::jthread holder([&] {
    const std::lock_guard lock(replacer.mutex());
    locked.count_down();
    done.wait();
  });
  locked.wait();
  action();
  done.count_down();
}

void fill(LruReplacer &replacer, PageId count) {
  for (PageId id = 0; id < count; ++id)
    replacer.insert(id);
}

std::vector<PageId> eviction_order(LruReplacer &replacer) {
  std::vector<PageId> order;
  replacer.find_victim([&](PageId id) {
    order.push_back(id);
    return false;
  });
  return order;
}

TEST(LruReplacer, LazyMovesAtOnceWhenTheListIsFree) {
  LruReplacer replacer(LruUpdate::lazy);
  fill(replacer, 8);
  LruBacklog backlog;
  replacer.make_young(0, backlog);
  EXPECT_TRUE(backlog.empty());
  EXPECT_EQ(eviction_order(replacer).back(), 0U);
}

TEST(LruReplacer, LazyPutsOffWhatItCannotMoveAndWorksItOffInOrder) {
  LruReplacer replacer(LruUpdate::lazy);
  fill(replacer, 16);
  LruBacklog backlog;
  while_list_is_busy(replacer, [&] {
    replacer.make_young(3, backlog);
    replacer.make_young(1, backlog);
    replacer.make_young(3, backlog); // already there
  });
  EXPECT_EQ(backlog, (LruBacklog{3, 1}));
  EXPECT_EQ(replacer.counters().deferred, 2U);

  replacer.make_young(2, backlog);
  EXPECT_TRUE(backlog.empty());
  const std::vector<PageId> order = eviction_order(replacer);
  EXPECT_EQ(std::vector(order.end() - 3, order.end()), (std::vector<PageId>{3, 1, 2}));
  EXPECT_EQ(replacer.counters().moves, 3U);
}

TEST(LruReplacer, LazySkipsPagesThatWereEvictedMeanwhile) {
  LruReplacer replacer(LruUpdate::lazy);
  fill(replacer, 16);
  LruBacklog backlog;
  while_list_is_busy(replacer, [&] {
    replacer.make_young(3, backlog);
    replacer.make_young(1, backlog);
  });
  EXPECT_TRUE(replacer.remove_if(3, [] { return true; }));
  replacer.make_young(2, backlog);
  const std::vector<PageId> order = eviction_order(replacer);
  EXPECT_EQ(std::vector(order.end() - 2, order.end()), (std::vector<PageId>{1, 2}));
  EXPECT_EQ(order.size(), 15U);
  EXPECT_EQ(replacer.counters().dropped, 1U);
}

TEST(LruReplacer, AFullBacklogWaitsForTheMutex) {
  LruReplacer replacer(LruUpdate::lazy);
  fill(replacer, 4);
  LruBacklog backlog(LruReplacer::backlog_limit, 1);
  std::jthread waiter;
  while_list_is_busy(replacer, [&] {
    waiter = std::jthread([&] { replacer.make_young(2, backlog); });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  });
  waiter.join();
  EXPECT_TRUE(backlog.empty());
  EXPECT_EQ(eviction_order(replacer).back(), 2U);
}

TEST(LruReplacer, FindsTheFirstVictimThatIsAccepted) {
  LruReplacer replacer(LruUpdate::mutex);
  fill(replacer, 8);
  const std::vector<PageId> order = eviction_order(replacer);
  EXPECT_EQ(replacer.find_victim([&](PageId id) { return id != order[0]; }), order[1]);
  EXPECT_EQ(replacer.find_victim([](PageId) { return false; }), std::nullopt);
}

TEST(LruReplacer, KeepsAPageWhoseRemovalIsRefused) {
  LruReplacer replacer(LruUpdate::mutex);
  fill(replacer, 4);
  EXPECT_FALSE(replacer.remove_if(1, [] { return false; }));
  EXPECT_EQ(eviction_order(replacer).size(), 4U);
}

} // namespace
} // namespace minidb
