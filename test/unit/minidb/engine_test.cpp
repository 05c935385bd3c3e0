#include "engine.h"

#include "driver.h"
#include "scratch.h"
#include "tpcc.h"
#include "ycsb.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace minidb {
namespace {

EngineConfig config(std::size_t pool_pages) {
  EngineConfig result;
  result.pool_pages = pool_pages;
  return result;
}

class EngineTest : public ScratchTest {
protected:
  std::vector<Table> tables_ = lay_out({{10, 1}, {100, max_rows_per_page}});
  Engine engine_{config(32), tables_, folder_};
  Transaction txn_;
};

TEST_F(EngineTest, TablesFollowEachOther) {
  EXPECT_EQ(tables_.at(1).first_page, 10U);
  EXPECT_EQ(tables_.at(1).end_page(), 10U + (100 + max_rows_per_page - 1) / max_rows_per_page);
}

TEST_F(EngineTest, CommitKeepsAndLogsTheChange) {
  const RowId id{1, 99};
  engine_.begin(txn_, 1);
  engine_.locks().acquire(txn_.locks, id.object(), LockMode::exclusive);
  engine_.rows().write(txn_, id, Row{1, 2, 3});
  engine_.commit(txn_);
  EXPECT_EQ(engine_.rows().read(id), (Row{1, 2, 3}));
  EXPECT_EQ(contents("log0").size(), 2 * sizeof(LogRecord)); // the change and the commit
  EXPECT_TRUE(txn_.locks.held.empty());
}

TEST_F(EngineTest, AbortRestoresTheFirstImageAndLogsNothing) {
  const RowId id{0, 3};
  engine_.begin(txn_, 1);
  engine_.locks().acquire(txn_.locks, id.object(), LockMode::exclusive);
  engine_.rows().write(txn_, id, Row{1});
  engine_.rows().write(txn_, id, Row{2});
  EXPECT_EQ(engine_.rows().read(id), Row{2});
  engine_.abort(txn_);
  EXPECT_EQ(engine_.rows().read(id), Row{});
  EXPECT_EQ(contents("log0"), "");
  EXPECT_TRUE(txn_.locks.held.empty());
}

TEST_F(EngineTest, NeighboursOnAPageDoNotTouchEachOther) {
  engine_.begin(txn_, 1);
  engine_.rows().write(txn_, {1, 4}, Row{4});
  engine_.rows().write(txn_, {1, 5}, Row{5});
  engine_.commit(txn_);
  EXPECT_EQ(engine_.rows().read({1, 3}), Row{});
  EXPECT_EQ(engine_.rows().read({1, 4}), Row{4});
  EXPECT_EQ(engine_.rows().read({1, 5}), Row{5});
}

/// A short, hard run: many conflicts, deadlocks and rollbacks, a pool smaller than the data.
Options hard_run() {
  Options options;
  options.rate_per_s = 1500;
  options.seconds = 0.5;
  options.workers = 12;
  options.round_trip = std::chrono::microseconds(50);
  options.data_pages = 400;
  options.engine.pool_pages = 12 * 20;
  options.engine.lock_schedule = LockSchedule::vats;
  options.engine.lru_update = LruUpdate::lazy;
  options.engine.log_streams = LogStreams::parallel;
  return options;
}

class RunTest : public ScratchTest {};

TEST_F(RunTest, TpccTablesAgreeWithTheCommittedTransactions) {
  const Options options = hard_run();
  const TpccScale scale = tpcc_scale(options.warehouses, options.data_pages);
  Engine engine(options.engine, tpcc_tables(scale), folder_);
  TpccRequests source(scale, options.theta);
  const RunResult result = run_load(engine, options, scale, source);
  EXPECT_GT(result.log.totals.payments, 0);
  EXPECT_GT(result.log.totals.new_orders, 0);
  EXPECT_EQ(tpcc_totals(engine.rows()), result.log.totals);
}

TEST_F(RunTest, YcsbTableAgreesWithTheCommittedTransactions) {
  Options options = hard_run();
  options.theta = 0.95;
  const std::vector<Table> tables = ycsb_tables(options.data_pages);
  Engine engine(options.engine, tables, folder_);
  YcsbRequests source({tables.front().row_count, options.theta, 0.5, 8});
  const RunResult result = run_load(engine, options, TpccScale{}, source);
  EXPECT_GT(result.log.totals.key_writes, 0);
  EXPECT_GT(engine.locks().counters().deadlocks, 0U);
  EXPECT_EQ(ycsb_totals(engine.rows()), result.log.totals);
}

TEST(TpccRequests, TheSameSeedGivesTheSameRequests) {
  const TpccScale scale = tpcc_scale(2, 400);
  TpccRequests source(scale, 0.9);
  TpccRequests again(scale, 0.9);
  std::mt19937_64 rng(5);
  std::mt19937_64 same(5);
  for (int i = 0; i < 200; ++i) {
    const Request a = source.next(rng);
    const Request b = again.next(same);
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.customer, b.customer);
    EXPECT_EQ(a.lines.size(), b.lines.size());
    EXPECT_LT(a.customer, scale.districts() * scale.customers_per_district);
    EXPECT_TRUE(std::ranges::is_sorted(a.lines, {}, &OrderLine::stock_key));
  }
}

} // namespace
} // namespace minidb
