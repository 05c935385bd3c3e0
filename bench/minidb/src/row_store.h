#pragma once

#include "buffer_pool.h"
#include "lock_table.h"
#include "types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace minidb {

inline constexpr std::size_t row_columns = 16;
using Row = std::array<std::int64_t, row_columns>;

struct RowId {
  std::uint32_t table = 0;
  std::uint32_t key = 0;

  ObjectId object() const { return (ObjectId{table} << 32) | key; }
};

struct Table {
  std::uint32_t row_count = 0;
  std::uint32_t rows_per_page = 1;
  PageId first_page = 0; // set by lay_out

  PageId end_page() const { return first_page + (row_count + rows_per_page - 1) / rows_per_page; }
};

inline constexpr std::uint32_t max_rows_per_page = sizeof(Page::bytes) / sizeof(Row);

/// What the log says of a transaction: a changed row's contents afterwards, or that it has committed.
/// Without padding, as it goes to the log as it is.
struct LogRecord {
  enum class Kind : std::uint64_t { change, commit };

  TxnId txn = 0;
  Kind kind = Kind::change;
  RowId row;
  Row after{};
};
static_assert(sizeof(LogRecord) == 2 * sizeof(std::uint64_t) + sizeof(RowId) + sizeof(Row));

/// How a changed row looked before. The pin keeps the page in memory until the transaction ends, so no
/// uncommitted change reaches the data file and an abort needs no log.
struct UndoRecord {
  PageRef page;
  std::size_t offset = 0;
  Row before{};
};

struct Transaction {
  LockOwner locks;
  std::vector<UndoRecord> undo;
  std::vector<LogRecord> redo;
};

/// Rows of fixed size, found by key. The caller holds the row's lock (exclusive for a write); the latch
/// taken here only protects the page from others that use different rows of it.
class RowStore {
public:
  RowStore(BufferPool &pool, std::vector<Table> tables);

  Row read(RowId id);
  void write(Transaction &txn, RowId id, const Row &row);

  /// Puts the before-images back, last change first.
  static void undo(Transaction &txn);

  const Table &table(std::uint32_t index) const { return tables_[index]; }

private:
  struct Location {
    PageId page = 0;
    std::size_t offset = 0; // in Page::bytes
  };
  Location locate(RowId id) const;

  BufferPool &pool_;
  std::vector<Table> tables_;
};

/// Gives the tables their first pages, one table after the other.
std::vector<Table> lay_out(std::vector<Table> tables);

} // namespace minidb
