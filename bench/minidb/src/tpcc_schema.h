#pragma once

#include "row_store.h"

#include <cstdint>

namespace minidb::tpcc {

// Tables and the columns in use, as indices. All values start at zero.
enum TableIndex : std::uint32_t { warehouse_table, district_table, customer_table, stock_table, order_table };
enum WarehouseColumn : std::uint8_t { warehouse_paid };
enum DistrictColumn : std::uint8_t { district_paid, district_orders };
enum CustomerColumn : std::uint8_t { customer_paid, customer_payments };
enum StockColumn : std::uint8_t { stock_sold, stock_order_lines };
enum OrderColumn : std::uint8_t { order_number, order_customer, order_lines, order_quantity };

inline RowId warehouse_row(std::uint32_t key) {
  return {warehouse_table, key};
}
inline RowId district_row(std::uint32_t key) {
  return {district_table, key};
}
inline RowId customer_row(std::uint32_t key) {
  return {customer_table, key};
}
inline RowId stock_row(std::uint32_t key) {
  return {stock_table, key};
}

/// The orders of a district are a ring of `ring_size` rows.
inline RowId order_row(std::uint32_t district, std::int64_t number, std::uint32_t ring_size) {
  return {order_table, district * ring_size + static_cast<std::uint32_t>(number % ring_size)};
}

} // namespace minidb::tpcc
