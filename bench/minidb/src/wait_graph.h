#pragma once

#include "lock_table.h"

#include <cstddef>
#include <vector>

namespace minidb {

// The wait-for graph is not stored: it is read off the lock table. A waiter has an edge to every holder
// of the object it waits for. It may be compatible with such a holder (a shared request that queues
// behind an exclusive one), but it is not granted before that holder releases.
// Every function here needs all shards locked.

/// A cycle of waiting transactions through `start`, `start` first; empty if there is none.
std::vector<LockOwner *> find_cycle(const LockTable &table, LockOwner &start);

/// How many transactions wait for `owner`, directly or not, itself included.
std::size_t dependency_size(const LockTable &table, const LockOwner &owner);

} // namespace minidb
