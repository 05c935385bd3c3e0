#pragma once

#include "request.h"
#include "row_store.h"
#include "session.h"
#include "zipf.h"

#include <cstdint>
#include <random>
#include <vector>

namespace minidb {

/// Key accesses after YCSB: each transaction reads or changes a few rows of one table, in random order.
struct YcsbMix {
  std::uint32_t row_count = 0;
  double theta = 0;
  double read_ratio = 0;
  std::uint32_t accesses_per_txn = 0;
};

std::vector<Table> ycsb_tables(std::uint32_t data_pages);

class YcsbRequests : public RequestSource {
public:
  explicit YcsbRequests(const YcsbMix &mix) : mix_(mix), rank_(mix.row_count, mix.theta) {}
  Request next(std::mt19937_64 &rng) override;

private:
  YcsbMix mix_;
  ZipfGenerator rank_;
};

void access_keys(Session &session, const Request &request);

/// What the table says was committed. Throws std::runtime_error if the balances do not cancel out.
Totals ycsb_totals(RowStore &rows);

} // namespace minidb
