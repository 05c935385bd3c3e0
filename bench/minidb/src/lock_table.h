#pragma once

#include "lock_schedule.h"
#include "types.h"

#include <array>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <random>
#include <unordered_map>
#include <vector>

namespace minidb {

using ObjectId = std::uint64_t; // whatever is locked; here a row

enum class LockOutcome : std::uint8_t { pending, granted, deadlock, timeout };

struct HeldLock {
  ObjectId object = 0;
  LockMode mode = LockMode::shared;
};

/// The part of a transaction that the lock manager knows. `held` and `waits_for` belong to the lock
/// table: they change only under the mutex of the object's shard.
struct LockOwner {
  TxnId id = 0;
  std::int64_t start_ns = 0; // kept over retries, so that age counts and nobody starves
  std::vector<HeldLock> held;
  std::optional<ObjectId> waits_for;

  std::mutex wait_mutex; // guards outcome; taken after a shard's mutex
  std::condition_variable wake_up;
  LockOutcome outcome = LockOutcome::granted;
};

struct LockQueue {
  struct Entry {
    LockOwner *owner = nullptr;
    LockMode mode = LockMode::shared;
    bool upgrade = false; // the owner already holds the lock in shared mode
  };

  std::vector<Entry> holders;
  std::vector<Entry> waiters; // upgrades first, then in order of arrival

  bool held_exclusively() const { return !holders.empty() && holders.front().mode == LockMode::exclusive; }
};

struct LockShard {
  std::mutex mutex;
  std::unordered_map<ObjectId, LockQueue> queues;
  std::mt19937_64 rng;
};

/// The lock queues, hashed over shards. Whoever must see all of them at once (deadlock detection,
/// dependency sets) locks all shards, in order of their index.
class LockTable {
public:
  static constexpr std::size_t shard_count = 16;
  using AllShards = std::array<std::unique_lock<std::mutex>, shard_count>;

  explicit LockTable(std::uint64_t seed);

  LockShard &shard(ObjectId object);
  AllShards lock_all();

  /// The queue of an object, nullptr if nobody holds it. The caller has locked its shard.
  const LockQueue *find(ObjectId object) const;

private:
  static std::size_t shard_index(ObjectId object);

  std::array<LockShard, shard_count> shards_;
};

} // namespace minidb
