#include "engine.h"

#include <algorithm>
#include <span>

namespace minidb {

Engine::Engine(const EngineConfig &config, const std::vector<Table> &tables, const ScratchFolder &folder)
    : locks_(config.lock_schedule, config.lock_timeout, config.seed),
      file_(folder.file("pages"), config.page_caching),
      log_(folder.file("log"), config.log_streams, config.flush_policy, config.flush_interval),
      pool_(config.pool_pages, file_, log_, config.lru_update), rows_(pool_, tables) {
  const PageId page_count = tables.back().end_page();
  file_.format(page_count);
  warm_up(page_count, config.pool_pages);
}

void Engine::begin(Transaction &txn, std::int64_t start_ns) {
  txn.locks.id = next_id_.fetch_add(1, std::memory_order_relaxed);
  txn.locks.start_ns = start_ns;
}

void Engine::commit(Transaction &txn) {
  if (!txn.redo.empty())
    write_log(txn);
  end(txn);
}

void Engine::abort(Transaction &txn) {
  RowStore::undo(txn);
  end(txn);
}

/// The pages are stamped while they are still pinned: from then on eviction forces the log first.
void Engine::write_log(Transaction &txn) {
  txn.redo.push_back({txn.locks.id, LogRecord::Kind::commit, {}, {}});
  const LogPosition position = log_.append(std::as_bytes(std::span(txn.redo)));
  for (const UndoRecord &record : txn.undo)
    BufferPool::stamp(*record.page, position);
  log_.commit(position);
}

void Engine::end(Transaction &txn) {
  txn.undo.clear();
  txn.redo.clear();
  locks_.release_all(txn.locks);
}

/// Starts with a full pool, as a server that has been up for a while.
void Engine::warm_up(PageId page_count, std::size_t pool_pages) {
  const auto warm = static_cast<PageId>(std::min<std::size_t>(page_count, pool_pages));
  for (PageId id = 0; id < warm; ++id)
    pool_.fetch(id);
}

} // namespace minidb
