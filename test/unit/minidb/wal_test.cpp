#include "wal.h"

#include "log_manager.h"
#include "scratch.h"

#include <chrono>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

namespace minidb {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds never{3600000};

std::span<const std::byte> bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

class WalTest : public ScratchTest {};

TEST_F(WalTest, AppendReturnsThePositionBehindTheRecords) {
  Wal wal(folder_.file("log"));
  EXPECT_EQ(wal.append(bytes("one")), 3U);
  EXPECT_EQ(wal.append(bytes("three")), 8U);
  EXPECT_EQ(contents("log"), ""); // nothing is written before it is asked for
}

TEST_F(WalTest, OneSyncServesAllThatWasAppendedBefore) {
  Wal wal(folder_.file("log"));
  const Lsn first = wal.append(bytes("first "));
  wal.append(bytes("second "));
  const Lsn third = wal.append(bytes("third"));
  wal.flush_up_to(first, Wal::Durability::synced);
  EXPECT_EQ(contents("log"), "first second third");
  wal.flush_up_to(third, Wal::Durability::synced);
  EXPECT_EQ(wal.sync_count(), 1U);
  EXPECT_EQ(wal.synced_lsn(), third);
}

TEST_F(WalTest, WrittenIsNotYetSynced) {
  Wal wal(folder_.file("log"));
  const Lsn end = wal.append(bytes("text"));
  wal.flush_up_to(end, Wal::Durability::written);
  EXPECT_EQ(contents("log"), "text");
  EXPECT_EQ(wal.synced_lsn(), 0U);
  wal.flush_all(Wal::Durability::synced);
  EXPECT_EQ(wal.synced_lsn(), end);
  EXPECT_EQ(contents("log"), "text");
}

struct Entry {
  std::uint32_t thread;
  std::uint32_t sequence;
};

/// Each thread's records stand in the log in the order it wrote them, and are there when it is told so.
TEST_F(WalTest, GroupCommitKeepsOrderAndPromises) {
  constexpr std::uint32_t thread_count = 6;
  constexpr std::uint32_t commits = 60;
  Wal wal(folder_.file("log"));
  const auto commit_all = [&](std::uint32_t thread) {
    for (std::uint32_t sequence = 0; sequence < commits; ++sequence) {
      const Entry entry{thread, sequence};
      const Lsn lsn = wal.append(std::as_bytes(std::span(&entry, 1)));
      wal.flush_up_to(lsn, Wal::Durability::synced);
      EXPECT_GE(wal.synced_lsn(), lsn);
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t thread = 0; thread < thread_count; ++thread)
      threads.emplace_back(commit_all, thread);
  }
  EXPECT_LE(wal.sync_count(), std::uint64_t{thread_count} * commits);
  const std::string log = contents("log");
  ASSERT_EQ(log.size(), sizeof(Entry) * thread_count * commits);
  std::map<std::uint32_t, std::uint32_t> next;
  for (std::size_t offset = 0; offset < log.size(); offset += sizeof(Entry)) {
    Entry entry{};
    std::memcpy(&entry, log.data() + offset, sizeof entry);
    EXPECT_EQ(entry.sequence, next[entry.thread]++);
  }
}

class LogManagerTest : public ScratchTest {};

TEST_F(LogManagerTest, ParallelUsesTheSecondStreamOnlyWhileTheFirstIsBusy) {
  LogManager log(folder_.file("log"), LogStreams::parallel, FlushPolicy::eager, never);
  const LogPosition first = log.append(bytes("a"));
  const LogPosition second = log.append(bytes("b"));
  EXPECT_EQ(first.stream, 0U);
  EXPECT_EQ(second.stream, 1U);
  log.commit(second);
  const LogPosition third = log.append(bytes("c")); // stream 0 has one user still
  EXPECT_EQ(third.stream, 1U);
  const LogPosition fourth = log.append(bytes("d")); // one each
  EXPECT_EQ(fourth.stream, 0U);
  for (const LogPosition &position : {first, third, fourth})
    log.commit(position);
  EXPECT_EQ(contents("log0"), "ad");
  EXPECT_EQ(contents("log1"), "bc");
}

TEST_F(LogManagerTest, EachPolicyWaitsForItsOwn) {
  LogManager eager(folder_.file("eager"), LogStreams::single, FlushPolicy::eager, never);
  LogManager lazy_flush(folder_.file("lazy_flush"), LogStreams::single, FlushPolicy::lazy_flush, never);
  LogManager lazy_write(folder_.file("lazy_write"), LogStreams::single, FlushPolicy::lazy_write, never);
  for (LogManager *const log : {&eager, &lazy_flush, &lazy_write})
    log->commit(log->append(bytes("text")));
  EXPECT_EQ(contents("eager0"), "text");
  EXPECT_EQ(eager.sync_count(), 1U);
  EXPECT_EQ(contents("lazy_flush0"), "text");
  EXPECT_EQ(lazy_flush.sync_count(), 0U);
  EXPECT_EQ(contents("lazy_write0"), "");
}

TEST_F(LogManagerTest, TheBackgroundFlushesWhatCommitsDidNot) {
  LogManager log(folder_.file("log"), LogStreams::single, FlushPolicy::lazy_write, milliseconds(1));
  log.commit(log.append(bytes("text")));
  while (log.sync_count() == 0)
    std::this_thread::sleep_for(milliseconds(1));
  EXPECT_EQ(contents("log0"), "text");
}

} // namespace
} // namespace minidb
