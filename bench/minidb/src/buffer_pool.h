#pragma once

#include "log_manager.h"
#include "lru_replacer.h"
#include "page_file.h"
#include "types.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace minidb {

/// A place for one page in memory. `id` and `pins` change under the mutex of the page's shard, except
/// that whoever holds a pin may drop it. The page itself is guarded by the latch.
struct Frame {
  Page *page = nullptr;
  PageId id = 0;
  std::atomic<std::uint32_t> pins = 0; // a pinned frame keeps its page
  std::shared_mutex latch;
  std::atomic<bool> dirty = false;
  std::array<std::atomic<Lsn>, max_log_streams> log_lsn{}; // the log that must be on disk before the page
  std::atomic<bool> touched_again = false;                 // accessed since it was read
  std::atomic<std::uint64_t> young_at = 0;                 // the pool's eviction clock at the last LRU move
};

/// A pin on a frame, released at the end of its life.
class PageRef {
public:
  PageRef() = default;
  explicit PageRef(Frame *pinned) : frame_(pinned) {}
  PageRef(PageRef &&other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  PageRef &operator=(PageRef &&other) noexcept {
    std::swap(frame_, other.frame_);
    return *this;
  }
  ~PageRef() {
    if (frame_)
      frame_->pins.fetch_sub(1, std::memory_order_release);
  }

  Frame &operator*() const { return *frame_; }
  Frame *operator->() const { return frame_; }

private:
  Frame *frame_ = nullptr;
};

struct PoolCounters {
  std::atomic<std::uint64_t> hits = 0;
  std::atomic<std::uint64_t> misses = 0;
  std::atomic<std::uint64_t> write_backs = 0;
};

/// Keeps the pages in use in a fixed number of frames.
class BufferPool {
public:
  BufferPool(std::size_t frame_count, PageFile &file, LogManager &log, LruUpdate update);

  /// Pins the page, reading it first if need be. Take the frame's latch before looking at the page.
  PageRef fetch(PageId id);

  /// Records that the page holds changes that the log describes before `position`.
  static void stamp(Frame &frame, LogPosition position);

  const PoolCounters &counters() const { return counters_; }
  const LruCounters &lru_counters() const { return replacer_.counters(); }

private:
  struct Shard {
    std::mutex mutex;
    std::unordered_map<PageId, Frame *> frames;
  };
  static constexpr std::size_t shard_count = 16;

  Shard &shard(PageId id) { return shards_[id % shard_count]; }
  Frame *pin_if_present(PageId id);
  PageRef read_page(PageId id);
  void make_young(Frame &frame);
  bool is_too_old(const Frame &frame) const;

  Frame *take_frame();
  Frame *pop_free_frame();
  Frame *evict_page();
  Frame *claim_victim();
  bool detach(Frame &frame);
  void write_back(Frame &frame);

  PageFile &file_;
  LogManager &log_;
  std::vector<Page> pages_;
  std::vector<Frame> frames_; // frame i owns page i
  std::array<Shard, shard_count> shards_;
  LruReplacer replacer_;
  std::mutex free_mutex_;
  std::vector<Frame *> free_frames_;
  std::atomic<std::uint64_t> eviction_clock_ = 0; // pages evicted so far
  PoolCounters counters_;
};

} // namespace minidb
