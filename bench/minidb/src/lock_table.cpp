#include "lock_table.h"

namespace minidb {

LockTable::LockTable(std::uint64_t seed) {
  for (LockShard &shard : shards_)
    shard.rng.seed(seed++);
}

std::size_t LockTable::shard_index(ObjectId object) {
  constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15; // Fibonacci hashing: the top bits mix well
  return static_cast<std::size_t>((object * golden_ratio) >> 60) % shard_count;
}

LockShard &LockTable::shard(ObjectId object) {
  return shards_[shard_index(object)];
}

LockTable::AllShards LockTable::lock_all() {
  AllShards locks;
  for (std::size_t i = 0; i < shard_count; ++i)
    locks[i] = std::unique_lock(shards_[i].mutex);
  return locks;
}

const LockQueue *LockTable::find(ObjectId object) const {
  const LockShard &shard = shards_[shard_index(object)];
  const auto found = shard.queues.find(object);
  return found == shard.queues.end() ? nullptr : &found->second;
}

} // namespace minidb
