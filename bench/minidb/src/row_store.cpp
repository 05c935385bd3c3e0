#include "row_store.h"

#include <cassert>
#include <cstring>
#include <mutex>
#include <ranges>
#include <shared_mutex>
#include <utility>

namespace minidb {

RowStore::RowStore(BufferPool &pool, std::vector<Table> tables) : pool_(pool), tables_(std::move(tables)) {}

Row RowStore::read(RowId id) {
  const auto [page_id, offset] = locate(id);
  const PageRef page = pool_.fetch(page_id);
  const std::shared_lock latch(page->latch);
  Row row;
  std::memcpy(row.data(), page->page->bytes.data() + offset, sizeof row);
  return row;
}

void RowStore::write(Transaction &txn, RowId id, const Row &row) {
  const auto [page_id, offset] = locate(id);
  UndoRecord undo{pool_.fetch(page_id), offset, {}};
  {
    const std::lock_guard latch(undo.page->latch);
    std::byte *const place = undo.page->page->bytes.data() + offset;
    std::memcpy(undo.before.data(), place, sizeof(Row));
    std::memcpy(place, row.data(), sizeof(Row));
    undo.page->dirty.store(true, std::memory_order_release);
  }
  txn.undo.push_back(std::move(undo));
  txn.redo.push_back({txn.locks.id, LogRecord::Kind::change, id, row});
}

void RowStore::undo(Transaction &txn) {
  for (UndoRecord &record : std::views::reverse(txn.undo)) {
    const std::lock_guard latch(record.page->latch);
    std::memcpy(record.page->page->bytes.data() + record.offset, record.before.data(), sizeof(Row));
  }
}

RowStore::Location RowStore::locate(RowId id) const {
  const Table &table = tables_[id.table];
  assert(id.key < table.row_count);
  return {table.first_page + id.key / table.rows_per_page, id.key % table.rows_per_page * sizeof(Row)};
}

std::vector<Table> lay_out(std::vector<Table> tables) {
  PageId next = 0;
  for (Table &table : tables) {
    table.first_page = next;
    next = table.end_page();
  }
  return tables;
}

} // namespace minidb
