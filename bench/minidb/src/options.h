#pragma once

#include "engine.h"

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace minidb {

enum class WorkloadKind : std::uint8_t { tpcc, ycsb };
enum class Arrivals : std::uint8_t { fixed, poisson };

struct Options {
  WorkloadKind workload = WorkloadKind::tpcc;
  double rate_per_s = 700;
  double seconds = 10;
  Arrivals arrivals = Arrivals::fixed;
  std::uint32_t workers = 64;
  std::chrono::microseconds round_trip{1000};
  std::chrono::microseconds think_in_lock{0};

  std::uint32_t data_pages = 4000;
  std::uint32_t warehouses = 1;
  double theta = 0.8;
  double read_ratio = 0.5;
  std::uint32_t accesses_per_txn = 8;

  EngineConfig engine{.pool_pages = 3000};
  std::string parent_folder;
  bool verify = false;
  bool help = false;
};

/// A mistake on the command line.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads the command line, throws UsageError.
Options parse_options(int argc, const char *const *argv);

/// The text of --help, made from the list of options.
std::string help_text();

} // namespace minidb
