#pragma once

#include "lru_list.h"
#include "types.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

namespace minidb {

/// How a page is made young.
///  mutex  wait for the list's mutex
///  lazy   spin for it a little; on failure put the page off until this thread gets the mutex next
///         (LLU, lazy LRU update: Huang et al., SIGMOD 2017)
enum class LruUpdate : std::uint8_t { mutex, lazy };

/// Pages one thread has still to make young, in order of access. Holds identities, never frames: a page
/// may be evicted, and its frame reused, before its turn comes.
using LruBacklog = std::vector<PageId>;

struct LruCounters {
  std::atomic<std::uint64_t> moves = 0;
  std::atomic<std::uint64_t> deferred = 0; // moves put off
  std::atomic<std::uint64_t> dropped = 0;  // put off, then no longer in the list
};

/// The LRU list under its one mutex, which is taken before the mutex of any page table shard.
class LruReplacer {
public:
  static constexpr std::chrono::microseconds spin_limit{10};
  static constexpr std::size_t backlog_limit = 256; // a full backlog waits for the mutex

  explicit LruReplacer(LruUpdate update) : update_(update) {}

  void insert(PageId id);
  void make_young(PageId id, LruBacklog &backlog);

  /// The page closest to eviction that `claim` accepts. It stays in the list.
  std::optional<PageId> find_victim(const std::function<bool(PageId)> &claim);

  /// Removes the page if `detach` agrees, in one step.
  bool remove_if(PageId id, const std::function<bool()> &detach);

  /// For those who need the list to stand still.
  std::mutex &mutex() { return mutex_; }
  const LruCounters &counters() const { return counters_; }

private:
  bool lock_within_spin_limit();
  void work_off(LruBacklog &backlog);

  const LruUpdate update_;
  std::mutex mutex_;
  LruList list_;
  LruCounters counters_;
};

} // namespace minidb
