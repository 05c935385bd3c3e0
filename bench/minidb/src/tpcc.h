#pragma once

#include "request.h"
#include "row_store.h"
#include "session.h"
#include "zipf.h"

#include <cstdint>
#include <random>
#include <vector>

namespace minidb {

/// A mix after TPC-C: new-order, payment and order-status over five tables, most of them coming through
/// few warehouse and district rows.
struct TpccScale {
  static constexpr std::uint32_t districts_per_warehouse = 10;
  static constexpr std::uint32_t max_order_lines = 15;

  std::uint32_t warehouses = 1;
  std::uint32_t customers_per_district = 0;
  std::uint32_t stock_per_warehouse = 0;
  std::uint32_t orders_per_district = 0; // the latest ones; older ones are overwritten

  std::uint32_t districts() const { return warehouses * districts_per_warehouse; }
};

/// The scale that fills `data_pages`, or one with empty tables if they are too few.
TpccScale tpcc_scale(std::uint32_t warehouses, std::uint32_t data_pages);
std::vector<Table> tpcc_tables(const TpccScale &scale);

class TpccRequests : public RequestSource {
public:
  /// Items are drawn with Zipf exponent `theta`.
  TpccRequests(const TpccScale &scale, double theta);
  Request next(std::mt19937_64 &rng) override;

private:
  Request new_order(std::mt19937_64 &rng, std::uint32_t district);
  Request payment(std::mt19937_64 &rng, std::uint32_t district);

  TpccScale scale_;
  ZipfGenerator item_;
};

// The transactions. Each statement awaits the client, locks its row, then reads or changes it.
void new_order(Session &session, const TpccScale &scale, const Request &request);
void payment(Session &session, const Request &request);
void order_status(Session &session, const TpccScale &scale, const Request &request);

/// What the tables say was committed. Throws std::runtime_error if they contradict each other.
Totals tpcc_totals(RowStore &rows);

} // namespace minidb
