#include "lru_list.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace minidb {
namespace {

/// From the next to be evicted to the most recently used.
std::vector<PageId> eviction_order(const LruList &list) {
  std::vector<PageId> order;
  list.find_from_tail([&](PageId id) {
    order.push_back(id);
    return false;
  });
  return order;
}

LruList filled(PageId count) {
  LruList list;
  for (PageId id = 0; id < count; ++id)
    list.insert(id);
  return list;
}

TEST(LruList, KeepsThreeEighthsOld) {
  const LruList list = filled(800);
  EXPECT_EQ(list.size(), 800U);
  EXPECT_GE(list.old_size(), 300U);
  EXPECT_LE(list.old_size(), 301U);
}

TEST(LruList, NewPagesEnterAtTheMidpointAndDoNotPushOutYoungOnes) {
  LruList list = filled(16);
  for (PageId id = 0; id < 8; ++id)
    list.make_young(id);
  for (PageId id = 100; id < 106; ++id) { // a scan: evict one, read one
    list.remove(eviction_order(list).front());
    list.insert(id);
  }
  for (PageId id = 0; id < 8; ++id)
    EXPECT_FALSE(list.is_old(id)) << id;
  EXPECT_TRUE(list.is_old(105));
}

TEST(LruList, MakeYoungPutsThePageLastInEvictionOrder) {
  LruList list = filled(8);
  const PageId tail = eviction_order(list).front();
  EXPECT_TRUE(list.is_old(tail));
  EXPECT_TRUE(list.make_young(tail));
  EXPECT_EQ(eviction_order(list).back(), tail);
  EXPECT_FALSE(list.is_old(tail));
}

TEST(LruList, AnEvictedPageIsNotFound) {
  LruList list = filled(4);
  list.remove(2);
  list.remove(2);
  EXPECT_FALSE(list.make_young(2));
  EXPECT_FALSE(list.is_old(2));
  EXPECT_EQ(list.size(), 3U);
}

TEST(LruList, EveryPageStaysInTheListOnce) {
  LruList list = filled(50);
  for (PageId id = 0; id < 200; ++id)
    list.make_young(id * 7 % 50);
  std::vector<PageId> order = eviction_order(list);
  std::ranges::sort(order);
  for (PageId id = 0; id < 50; ++id)
    EXPECT_EQ(order.at(id), id);
  EXPECT_EQ(order.size(), 50U);
}

} // namespace
} // namespace minidb
