#pragma once

#include "file.h"
#include "types.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace minidb {

/// One log stream: an append buffer in front of a file. Whoever first needs the log on disk leads and
/// takes along what all others have appended meanwhile (group commit).
class Wal {
public:
  enum class Durability : std::uint8_t { written, synced }; // in the page cache, on disk

  explicit Wal(const std::string &path);

  /// Appends records as one piece; returns the position behind it.
  Lsn append(std::span<const std::byte> records);

  /// Returns when all of the log before `lsn` is at least as durable as asked.
  void flush_up_to(Lsn lsn, Durability durability);

  /// Makes the whole log as durable as asked.
  void flush_all(Durability durability);

  Lsn synced_lsn() const;

  /// Transactions inside enter() .. leave(), that is, those that use the stream or wait for it.
  void enter() { users_.fetch_add(1, std::memory_order_relaxed); }
  void leave() { users_.fetch_sub(1, std::memory_order_relaxed); }
  std::uint32_t users() const { return users_.load(std::memory_order_relaxed); }

  std::uint64_t sync_count() const { return sync_count_.load(std::memory_order_relaxed); }

private:
  bool reached(Lsn lsn, Durability durability) const;
  void lead_flush(std::unique_lock<std::mutex> &lock, Durability durability);
  void write_buffer(std::span<const std::byte> bytes, Lsn offset);
  void sync_file();

  File file_;
  mutable std::mutex mutex_;
  std::condition_variable flushed_;
  std::vector<std::byte> buffer_;  // holds [written_, appended_) unless a leader has taken it
  std::vector<std::byte> writing_; // the leader's, kept for its capacity
  Lsn appended_ = 0;
  Lsn written_ = 0;
  Lsn synced_ = 0;
  bool flushing_ = false; // somebody leads
  bool failed_ = false;   // a write or sync failed: nothing after it can be promised
  std::atomic<std::uint32_t> users_ = 0;
  std::atomic<std::uint64_t> sync_count_ = 0;
};

} // namespace minidb
