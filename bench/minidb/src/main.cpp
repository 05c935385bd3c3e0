#include "driver.h"
#include "options.h"
#include "report.h"
#include "tpcc.h"
#include "ycsb.h"

#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>

namespace minidb {
namespace {

void verify(Engine &engine, WorkloadKind workload, const Totals &committed) {
  const Totals stored =
      workload == WorkloadKind::tpcc ? tpcc_totals(engine.rows()) : ycsb_totals(engine.rows());
  if (stored != committed)
    throw std::runtime_error("the data disagree with the committed transactions");
  std::printf("verify OK\n");
}

void run(const Options &options) {
  const bool tpcc = options.workload == WorkloadKind::tpcc;
  const TpccScale scale = tpcc_scale(options.warehouses, options.data_pages);
  const std::vector<Table> tables = tpcc ? tpcc_tables(scale) : ycsb_tables(options.data_pages);
  std::unique_ptr<RequestSource> source;
  if (tpcc)
    source = std::make_unique<TpccRequests>(scale, options.theta);
  else
    source = std::make_unique<YcsbRequests>(
        YcsbMix{tables.front().row_count, options.theta, options.read_ratio, options.accesses_per_txn});

  const ScratchFolder folder(options.parent_folder);
  Engine engine(options.engine, tables, folder);
  const RunResult result = run_load(engine, options, scale, *source);
  print_report(result, engine);
  if (options.verify)
    verify(engine, options.workload, result.log.totals);
}

} // namespace
} // namespace minidb

int main(int argc, char **argv) {
  try {
    const minidb::Options options = minidb::parse_options(argc, argv);
    if (options.help)
      std::fputs(minidb::help_text().c_str(), stdout);
    else
      minidb::run(options);
    return 0;
  } catch (const minidb::UsageError &error) {
    std::fprintf(stderr, "minidb: %s\n", error.what());
    return 2;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "minidb: %s\n", error.what());
    return 1;
  }
}
