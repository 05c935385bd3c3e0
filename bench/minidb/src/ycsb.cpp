#include "ycsb.h"

#include <stdexcept>
#include <string>

namespace minidb {
namespace {

constexpr std::uint32_t key_table = 0;
enum Column : std::uint8_t { writes, balance };

} // namespace

std::vector<Table> ycsb_tables(std::uint32_t data_pages) {
  return lay_out({{data_pages * max_rows_per_page, max_rows_per_page}});
}

Request YcsbRequests::next(std::mt19937_64 &rng) {
  Request request;
  request.kind = RequestKind::key_access;
  std::bernoulli_distribution read(mix_.read_ratio);
  for (std::uint32_t i = 0; i < mix_.accesses_per_txn; ++i)
    request.accesses.push_back({scatter(rank_(rng), mix_.row_count), !read(rng)});
  return request;
}

/// Moves a unit of balance from the first changed row to the second, from the third to the fourth, ..
void access_keys(Session &session, const Request &request) {
  auto &[locks, rows, round_trip, think, txn] = session;
  RowId last{};
  std::int64_t open = 0; // taken, not yet given
  for (const KeyAccess &access : request.accesses) {
    await_statement(session);
    const RowId id{key_table, access.key};
    locks.acquire(txn.locks, id.object(), access.write ? LockMode::exclusive : LockMode::shared);
    Row row = rows.read(id);
    if (!access.write)
      continue;
    const std::int64_t step = open == 0 ? -1 : 1;
    row[balance] += step;
    open -= step;
    ++row[writes];
    rows.write(txn, id, row);
    last = id;
  }
  if (open == 0)
    return;
  Row row = rows.read(last); // an odd number of changes: give the unit back
  row[balance] += open;
  rows.write(txn, last, row);
}

Totals ycsb_totals(RowStore &rows) {
  Totals totals;
  std::int64_t sum = 0;
  for (std::uint32_t key = 0; key < rows.table(key_table).row_count; ++key) {
    const Row row = rows.read({key_table, key});
    totals.key_writes += row[writes];
    sum += row[balance];
  }
  if (sum != 0)
    throw std::runtime_error("the balances add up to " + std::to_string(sum) + " instead of 0");
  return totals;
}

} // namespace minidb
