#pragma once

#include "engine.h"
#include "request.h"
#include "session.h"
#include "tpcc.h"
#include "work_queue.h"

#include <chrono>
#include <cstdint>
#include <vector>

namespace minidb {

struct Sample {
  RequestKind kind = RequestKind::key_access;
  std::int64_t latency_ns = 0; // from the scheduled arrival
  std::int64_t service_ns = 0; // from the start of execute_transaction
};

/// What one worker has done; read it after run() has returned.
struct WorkerLog {
  std::vector<Sample> samples;
  Totals totals;
  std::uint64_t retries = 0;
  std::uint64_t rollbacks = 0;
};

/// Serves requests one after the other.
class Worker {
public:
  Worker(Engine &engine, const TpccScale &scale, std::chrono::microseconds round_trip,
         std::chrono::microseconds think);

  /// Until the queue is closed and empty.
  void run(WorkQueue &queue);

  const WorkerLog &log() const { return log_; }

private:
  void execute_transaction(const Request &request);

  Engine &engine_;
  const TpccScale scale_;
  Session session_;
  WorkerLog log_;
};

} // namespace minidb
