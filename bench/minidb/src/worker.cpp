#include "worker.h"

#include "ycsb.h"

#include <optional>
#include <sys/prctl.h>

namespace minidb {

Worker::Worker(Engine &engine, const TpccScale &scale, std::chrono::microseconds round_trip,
               std::chrono::microseconds think)
    : engine_(engine), scale_(scale), session_{engine.locks(), engine.rows(), round_trip, think, {}} {}

void Worker::run(WorkQueue &queue) {
  ::prctl(PR_SET_TIMERSLACK, 1UL); // sleeps are to end when they should
  while (const std::optional<Job> job = queue.pop()) {
    const std::int64_t start_ns = now_ns();
    execute_transaction(job->request);
    const std::int64_t end_ns = now_ns();
    log_.samples.push_back({job->request.kind, end_ns - job->arrival_ns, end_ns - start_ns});
  }
}

/// Runs the transaction until it commits or rolls itself back. A retry keeps its age.
void Worker::execute_transaction(const Request &request) {
  const std::int64_t start_ns = now_ns();
  for (;;) {
    engine_.begin(session_.txn, start_ns);
    try {
      switch (request.kind) {
      case RequestKind::new_order:
        new_order(session_, scale_, request);
        break;
      case RequestKind::payment:
        payment(session_, request);
        break;
      case RequestKind::order_status:
        order_status(session_, scale_, request);
        break;
      case RequestKind::key_access:
        access_keys(session_, request);
        break;
      }
      think_in_lock(session_);
      await_statement(session_); // COMMIT
      engine_.commit(session_.txn);
      log_.totals.add(request);
      return;
    } catch (const TransactionAborted &aborted) {
      engine_.abort(session_.txn);
      if (aborted.reason() == TransactionAborted::Reason::rollback) {
        ++log_.rollbacks;
        return;
      }
      ++log_.retries;
    }
  }
}

} // namespace minidb
