#pragma once

#include "engine.h"
#include "options.h"
#include "request.h"
#include "worker.h"

#include <cstddef>

namespace minidb {

struct RunResult {
  double offered_per_s = 0;
  double achieved_per_s = 0;
  std::size_t unserved = 0; // still queued when the run was over: the load was too high
  WorkerLog log;            // of all workers
};

/// Open loop: requests arrive on schedule whether or not earlier ones are done.
RunResult run_load(Engine &engine, const Options &options, const TpccScale &scale, RequestSource &source);

} // namespace minidb
