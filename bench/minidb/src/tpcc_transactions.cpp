#include "tpcc.h"
#include "tpcc_schema.h"

#include <algorithm>

namespace minidb {

using namespace tpcc;

// The most wanted row, the warehouse, comes last, so that it is locked only briefly. All transactions keep
// to one order of tables and keys, so they cannot deadlock.

void new_order(Session &session, const TpccScale &scale, const Request &request) {
  auto &[locks, rows, round_trip, think, txn] = session;
  locks.acquire(txn.locks, customer_row(request.customer).object(), LockMode::shared);
  rows.read(customer_row(request.customer)); // the discount

  await_statement(session);
  const RowId district_id = district_row(request.district);
  locks.acquire(txn.locks, district_id.object(), LockMode::exclusive);
  Row district = rows.read(district_id);
  const std::int64_t number = district[district_orders]++;
  rows.write(txn, district_id, district);

  std::int64_t quantity = 0;
  for (const OrderLine &line : request.lines) {
    await_statement(session);
    const RowId stock_id = stock_row(line.stock_key);
    locks.acquire(txn.locks, stock_id.object(), LockMode::exclusive);
    Row stock = rows.read(stock_id);
    stock[stock_sold] += line.quantity;
    ++stock[stock_order_lines];
    rows.write(txn, stock_id, stock);
    quantity += line.quantity;
  }
  if (request.rollback) // TPC-C: one order in a hundred turns out to name an unknown item
    throw TransactionAborted(TransactionAborted::Reason::rollback);

  await_statement(session);
  const RowId order_id = order_row(request.district, number, scale.orders_per_district);
  locks.acquire(txn.locks, order_id.object(), LockMode::exclusive);
  Row order{};
  order[order_number] = number;
  order[order_customer] = request.customer;
  order[order_lines] = static_cast<std::int64_t>(request.lines.size());
  order[order_quantity] = quantity;
  rows.write(txn, order_id, order);

  await_statement(session);
  locks.acquire(txn.locks, warehouse_row(request.warehouse).object(), LockMode::shared);
  rows.read(warehouse_row(request.warehouse)); // the tax rate
}

void payment(Session &session, const Request &request) {
  auto &[locks, rows, round_trip, think, txn] = session;
  const RowId customer_id = customer_row(request.customer);
  locks.acquire(txn.locks, customer_id.object(), LockMode::exclusive);
  Row customer = rows.read(customer_id);
  customer[customer_paid] += request.amount;
  ++customer[customer_payments];
  rows.write(txn, customer_id, customer);

  await_statement(session);
  const RowId district_id = district_row(request.district);
  locks.acquire(txn.locks, district_id.object(), LockMode::exclusive);
  Row district = rows.read(district_id);
  district[district_paid] += request.amount;
  rows.write(txn, district_id, district);

  await_statement(session);
  const RowId warehouse_id = warehouse_row(request.warehouse);
  locks.acquire(txn.locks, warehouse_id.object(), LockMode::exclusive);
  Row warehouse = rows.read(warehouse_id);
  warehouse[warehouse_paid] += request.amount;
  rows.write(txn, warehouse_id, warehouse);
}

/// The customer's balance and the latest order of the district.
void order_status(Session &session, const TpccScale &scale, const Request &request) {
  auto &[locks, rows, round_trip, think, txn] = session;
  locks.acquire(txn.locks, customer_row(request.customer).object(), LockMode::shared);
  rows.read(customer_row(request.customer));

  await_statement(session);
  const RowId district_id = district_row(request.district);
  locks.acquire(txn.locks, district_id.object(), LockMode::shared);
  const std::int64_t orders = rows.read(district_id)[district_orders];

  await_statement(session);
  const RowId order_id =
      order_row(request.district, std::max<std::int64_t>(orders - 1, 0), scale.orders_per_district);
  locks.acquire(txn.locks, order_id.object(), LockMode::shared);
  rows.read(order_id);
}

} // namespace minidb
