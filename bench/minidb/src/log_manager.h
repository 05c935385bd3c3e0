#pragma once

#include "wal.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace minidb {

/// What a commit waits for; the background does the rest.
enum class FlushPolicy : std::uint8_t {
  eager,      // write and sync
  lazy_flush, // write; the sync follows in the background
  lazy_write  // nothing; both follow in the background
};

enum class LogStreams : std::uint8_t { single, parallel };

inline constexpr std::size_t max_log_streams = 2;

struct LogPosition {
  std::size_t stream = 0;
  Lsn lsn = 0;
};

/// The log streams, the choice between them, and the background flush.
class LogManager {
public:
  /// Creates one file per stream, named `path_prefix` and a digit.
  LogManager(const std::string &path_prefix, LogStreams streams, FlushPolicy policy,
             std::chrono::milliseconds flush_interval);
  ~LogManager();
  LogManager(const LogManager &) = delete;
  LogManager &operator=(const LogManager &) = delete;

  /// Appends the records of one transaction, its commit record included, to the idle or less wanted
  /// stream. Each append is followed by one commit() with the position.
  LogPosition append(std::span<const std::byte> records);

  /// Waits for what the flush policy demands.
  void commit(LogPosition position);

  /// On disk up to the position, whatever the policy: needed before a page is written back.
  void force(LogPosition position);

  std::uint64_t sync_count() const;
  std::uint64_t commit_count() const { return commit_count_.load(std::memory_order_relaxed); }

private:
  std::size_t choose_stream() const;
  void flush_in_background();

  const FlushPolicy policy_;
  const std::chrono::milliseconds flush_interval_;
  std::vector<std::unique_ptr<Wal>> streams_;
  std::atomic<std::uint64_t> commit_count_ = 0;

  std::mutex stop_mutex_;
  std::condition_variable stop_signal_;
  bool stopping_ = false;
  std::thread background_;
};

} // namespace minidb
