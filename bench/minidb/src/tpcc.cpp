#include "tpcc.h"

#include "tpcc_schema.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace minidb {
namespace {

std::uint32_t draw(std::mt19937_64 &rng, std::uint32_t low, std::uint32_t high) {
  return std::uniform_int_distribution<std::uint32_t>(low, high)(rng);
}

bool with_percentage(std::mt19937_64 &rng, std::uint32_t percent) {
  return draw(rng, 1, 100) <= percent;
}

std::int64_t sum_column(RowStore &rows, std::uint32_t table, std::uint8_t column) {
  std::int64_t sum = 0;
  for (std::uint32_t key = 0; key < rows.table(table).row_count; ++key)
    sum += rows.read({table, key})[column];
  return sum;
}

void require_equal(const std::string &what, std::int64_t left, std::int64_t right) {
  if (left != right)
    throw std::runtime_error(what + ": " + std::to_string(left) + " against " + std::to_string(right));
}

} // namespace

TpccScale tpcc_scale(std::uint32_t warehouses, std::uint32_t data_pages) {
  TpccScale scale;
  scale.warehouses = warehouses;
  const std::uint32_t fixed_pages = warehouses + scale.districts();
  const std::uint32_t rows = data_pages > fixed_pages ? (data_pages - fixed_pages) * max_rows_per_page : 0;
  scale.stock_per_warehouse = rows / 2 / warehouses;
  scale.customers_per_district = rows * 3 / 10 / scale.districts();
  scale.orders_per_district = rows / 5 / scale.districts();
  return scale;
}

/// In the order of TableIndex.
std::vector<Table> tpcc_tables(const TpccScale &scale) {
  const std::uint32_t districts = scale.districts();
  return lay_out({{scale.warehouses, 1}, // hot rows have a page of their own
                  {districts, 1},
                  {districts * scale.customers_per_district, max_rows_per_page},
                  {scale.warehouses * scale.stock_per_warehouse, max_rows_per_page},
                  {districts * scale.orders_per_district, max_rows_per_page}});
}

TpccRequests::TpccRequests(const TpccScale &scale, double theta)
    : scale_(scale), item_(scale.stock_per_warehouse, theta) {}

Request TpccRequests::next(std::mt19937_64 &rng) {
  const std::uint32_t district = draw(rng, 0, scale_.districts() - 1);
  const std::uint32_t percent = draw(rng, 1, 100);
  if (percent <= 45)
    return new_order(rng, district);
  if (percent <= 90)
    return payment(rng, district);
  Request request = payment(rng, district);
  request.kind = RequestKind::order_status;
  return request;
}

/// The lines are sorted by key: orders lock their stock rows in one order and cannot deadlock on them.
Request TpccRequests::new_order(std::mt19937_64 &rng, std::uint32_t district) {
  Request request;
  request.kind = RequestKind::new_order;
  request.district = district;
  request.warehouse = district / TpccScale::districts_per_warehouse;
  request.customer =
      district * scale_.customers_per_district + draw(rng, 0, scale_.customers_per_district - 1);
  request.rollback = with_percentage(rng, 1);
  const std::uint32_t line_count = draw(rng, 5, TpccScale::max_order_lines);
  for (std::uint32_t i = 0; i < line_count; ++i) {
    const std::uint32_t item = scatter(item_(rng), scale_.stock_per_warehouse);
    request.lines.push_back({request.warehouse * scale_.stock_per_warehouse + item, draw(rng, 1, 10)});
  }
  std::ranges::sort(request.lines, {}, &OrderLine::stock_key);
  return request;
}

/// In 15 of 100 payments the customer belongs to another district.
Request TpccRequests::payment(std::mt19937_64 &rng, std::uint32_t district) {
  Request request;
  request.kind = RequestKind::payment;
  request.district = district;
  request.warehouse = district / TpccScale::districts_per_warehouse;
  const std::uint32_t home = with_percentage(rng, 15) ? draw(rng, 0, scale_.districts() - 1) : district;
  request.customer = home * scale_.customers_per_district + draw(rng, 0, scale_.customers_per_district - 1);
  request.amount = draw(rng, 1, 5000);
  return request;
}

Totals tpcc_totals(RowStore &rows) {
  using namespace tpcc;
  Totals totals;
  totals.new_orders = sum_column(rows, district_table, district_orders);
  totals.order_lines = sum_column(rows, stock_table, stock_order_lines);
  totals.quantity = sum_column(rows, stock_table, stock_sold);
  totals.payments = sum_column(rows, customer_table, customer_payments);
  totals.paid_amount = sum_column(rows, warehouse_table, warehouse_paid);
  require_equal("paid by district and by warehouse", sum_column(rows, district_table, district_paid),
                totals.paid_amount);
  require_equal("paid by customer and by warehouse", sum_column(rows, customer_table, customer_paid),
                totals.paid_amount);
  return totals;
}

} // namespace minidb
