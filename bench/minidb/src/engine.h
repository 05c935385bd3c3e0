#pragma once

#include "buffer_pool.h"
#include "file.h"
#include "lock_manager.h"
#include "log_manager.h"
#include "page_file.h"
#include "row_store.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace minidb {

struct EngineConfig {
  LockSchedule lock_schedule = LockSchedule::fcfs;
  std::chrono::milliseconds lock_timeout{5000};
  LruUpdate lru_update = LruUpdate::mutex;
  LogStreams log_streams = LogStreams::single;
  FlushPolicy flush_policy = FlushPolicy::lazy_flush;
  std::chrono::milliseconds flush_interval{1000};
  std::size_t pool_pages = 0;
  File::Caching page_caching = File::Caching::buffered;
  std::uint64_t seed = 1;
};

/// Transactions over rows: strict two-phase locking, redo log, undo in memory.
class Engine {
public:
  /// Creates the data file and the log in `folder`. The tables are laid out; their rows are zero.
  Engine(const EngineConfig &config, const std::vector<Table> &tables, const ScratchFolder &folder);

  /// Starts a transaction. A retry passes the start time of its first attempt.
  void begin(Transaction &txn, std::int64_t start_ns);

  /// Makes the changes durable as far as the flush policy demands, then visible to others.
  void commit(Transaction &txn);

  /// Takes the changes back.
  void abort(Transaction &txn);

  LockManager &locks() { return locks_; }
  const LockManager &locks() const { return locks_; }
  RowStore &rows() { return rows_; }
  const BufferPool &pool() const { return pool_; }
  const LogManager &log() const { return log_; }

private:
  void write_log(Transaction &txn);
  void end(Transaction &txn);
  void warm_up(PageId page_count, std::size_t pool_pages);

  LockManager locks_;
  PageFile file_;
  LogManager log_;
  BufferPool pool_;
  RowStore rows_;
  std::atomic<TxnId> next_id_ = 1;
};

} // namespace minidb
