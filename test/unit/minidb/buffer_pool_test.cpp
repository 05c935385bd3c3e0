#include "buffer_pool.h"

#include "scratch.h"

#include <chrono>
#include <cstring>
#include <gtest/gtest.h>
#include <mutex>
#include <random>
#include <shared_mutex>
#include <thread>
#include <vector>

namespace minidb {
namespace {

constexpr PageId page_count = 64;

class BufferPoolTest : public ScratchTest {
protected:
  BufferPoolTest() { file_.format(page_count); }

  PageFile file_{folder_.file("pages"), File::Caching::buffered};
  LogManager log_{folder_.file("log"), LogStreams::single, FlushPolicy::lazy_flush, std::chrono::hours(1)};
};

void set_byte(BufferPool &pool, PageId id, int value) {
  const PageRef page = pool.fetch(id);
  const std::lock_guard latch(page->latch);
  page->page->bytes[0] = static_cast<std::byte>(value);
  page->dirty = true;
}

int get_byte(BufferPool &pool, PageId id) {
  const PageRef page = pool.fetch(id);
  const std::shared_lock latch(page->latch);
  return static_cast<int>(page->page->bytes[0]);
}

TEST_F(BufferPoolTest, ChangesSurviveEviction) {
  BufferPool pool(8, file_, log_, LruUpdate::mutex);
  for (PageId id = 0; id < page_count; ++id)
    set_byte(pool, id, static_cast<int>(id));
  for (PageId id = 0; id < page_count; ++id)
    EXPECT_EQ(get_byte(pool, id), static_cast<int>(id));
  EXPECT_GE(pool.counters().write_backs, page_count - 8);
  EXPECT_GE(pool.counters().misses, 2 * page_count - 8);
}

TEST_F(BufferPoolTest, PinnedPagesStay) {
  BufferPool pool(4, file_, log_, LruUpdate::mutex);
  const PageRef pinned = pool.fetch(0);
  for (PageId id = 1; id < page_count; ++id)
    pool.fetch(id);
  EXPECT_EQ(pinned->id, 0U);
  const std::uint64_t misses = pool.counters().misses;
  pool.fetch(0);
  EXPECT_EQ(pool.counters().misses, misses);
}

TEST_F(BufferPoolTest, PagesInUseOutliveAScan) {
  BufferPool pool(16, file_, log_, LruUpdate::mutex);
  for (PageId id = 0; id < 16; ++id)
    pool.fetch(id);
  for (PageId id = 0; id < 4; ++id) // used again
    pool.fetch(id);
  for (PageId id = 16; id < page_count; ++id)
    pool.fetch(id);
  const std::uint64_t misses = pool.counters().misses;
  for (PageId id = 0; id < 4; ++id)
    pool.fetch(id);
  EXPECT_EQ(pool.counters().misses, misses);
}

TEST_F(BufferPoolTest, TheLogReachesTheDiskBeforeThePage) {
  BufferPool pool(8, file_, log_, LruUpdate::mutex);
  for (PageId id = 0; id < 8; ++id) // what comes later is old, and evicted soon
    pool.fetch(id);
  const LogPosition position = log_.append(std::as_bytes(std::span("change", 6)));
  log_.commit(position); // lazy: written, not synced
  {
    const PageRef changed = pool.fetch(8);
    changed->dirty = true;
    BufferPool::stamp(*changed, position);
  }
  EXPECT_EQ(log_.sync_count(), 0U);
  for (PageId id = 9; id < page_count; ++id)
    pool.fetch(id);
  EXPECT_EQ(pool.counters().write_backs, 1U);
  EXPECT_EQ(log_.sync_count(), 1U);
}

TEST_F(BufferPoolTest, ConcurrentFetchesOfOnePageReadItOnce) {
  BufferPool pool(8, file_, log_, LruUpdate::mutex);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 6; ++i)
      threads.emplace_back([&] { get_byte(pool, 5); });
  }
  EXPECT_EQ(pool.counters().misses, 1U);
  EXPECT_EQ(pool.counters().hits, 5U);
}

class BufferPoolStress : public BufferPoolTest, public ::testing::WithParamInterface<LruUpdate> {};

/// Every page carries a counter that all threads raise while the pool is turned over all the time.
TEST_P(BufferPoolStress, LosesNoChange) {
  constexpr int steps = 1500;
  constexpr std::uint64_t thread_count = 4;
  BufferPool pool(12, file_, log_, GetParam());
  const auto work = [&](std::uint64_t seed) {
    std::mt19937_64 rng(seed);
    for (int i = 0; i < steps; ++i) {
      const PageRef page = pool.fetch(static_cast<PageId>(rng() % 24));
      const std::lock_guard latch(page->latch);
      std::int64_t value = 0;
      std::memcpy(&value, page->page->bytes.data(), sizeof value);
      ++value;
      std::memcpy(page->page->bytes.data(), &value, sizeof value);
      page->dirty = true;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t seed = 0; seed < thread_count; ++seed)
      threads.emplace_back(work, seed);
  }
  std::int64_t sum = 0;
  for (PageId id = 0; id < 24; ++id) {
    const PageRef page = pool.fetch(id);
    const std::shared_lock latch(page->latch);
    std::int64_t value = 0;
    std::memcpy(&value, page->page->bytes.data(), sizeof value);
    sum += value;
  }
  EXPECT_EQ(sum, static_cast<std::int64_t>(thread_count * steps));
}

INSTANTIATE_TEST_SUITE_P(Updates, BufferPoolStress, ::testing::Values(LruUpdate::mutex, LruUpdate::lazy));

} // namespace
} // namespace minidb
