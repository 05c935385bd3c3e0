#pragma once

#include "driver.h"
#include "engine.h"

namespace minidb {

/// Prints throughput, a table of latencies and the engine's counters.
void print_report(const RunResult &result, const Engine &engine);

} // namespace minidb
