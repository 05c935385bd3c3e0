#pragma once

#include "lock_manager.h"
#include "row_store.h"

#include <chrono>

namespace minidb {

/// What one worker works with: its transaction, the engine's parts, and the client at the other end.
struct Session {
  LockManager &locks;
  RowStore &rows;
  std::chrono::microseconds round_trip; // the client's time between two statements
  std::chrono::microseconds think;      // CPU time of the application inside a transaction
  Transaction txn;
};

/// Waits for the client's next statement, with all locks held, as interactive transactions do.
void await_statement(const Session &session);

/// Burns the application's CPU time.
void think_in_lock(const Session &session);

} // namespace minidb
