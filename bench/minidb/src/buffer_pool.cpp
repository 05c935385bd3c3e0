#include "buffer_pool.h"

#include <chrono>
#include <stdexcept>
#include <thread>

namespace minidb {

BufferPool::BufferPool(std::size_t frame_count, PageFile &file, LogManager &log, LruUpdate update)
    : file_(file), log_(log), pages_(frame_count), frames_(frame_count), replacer_(update) {
  for (std::size_t i = 0; i < frame_count; ++i) {
    frames_[i].page = &pages_[i];
    free_frames_.push_back(&frames_[i]);
  }
}

PageRef BufferPool::fetch(PageId id) {
  Frame *const frame = pin_if_present(id);
  if (!frame)
    return read_page(id);
  counters_.hits.fetch_add(1, std::memory_order_relaxed);
  PageRef page(frame);
  if (is_too_old(*frame))
    make_young(*frame);
  return page;
}

void BufferPool::stamp(Frame &frame, LogPosition position) {
  std::atomic<Lsn> &lsn = frame.log_lsn[position.stream];
  Lsn seen = lsn.load(std::memory_order_relaxed);
  while (seen < position.lsn && !lsn.compare_exchange_weak(seen, position.lsn, std::memory_order_relaxed))
    ;
}

Frame *BufferPool::pin_if_present(PageId id) {
  Shard &home = shard(id);
  const std::lock_guard lock(home.mutex);
  const auto found = home.frames.find(id);
  if (found == home.frames.end())
    return nullptr;
  found->second->pins.fetch_add(1, std::memory_order_acquire);
  return found->second;
}

/// Enters the page into the table before it is read, latched, so that others who want it wait for this
/// read instead of doing their own.
PageRef BufferPool::read_page(PageId id) {
  Frame *const frame = take_frame();
  std::unique_lock latch(frame->latch);
  {
    Shard &home = shard(id);
    const std::lock_guard lock(home.mutex);
    const auto [entry, inserted] = home.frames.emplace(id, frame);
    if (!inserted) { // somebody was faster
      counters_.hits.fetch_add(1, std::memory_order_relaxed);
      entry->second->pins.fetch_add(1, std::memory_order_acquire);
      frame->pins.store(0, std::memory_order_relaxed);
      const std::lock_guard free_lock(free_mutex_);
      free_frames_.push_back(frame);
      return PageRef(entry->second);
    }
    frame->id = id;
  }
  PageRef page(frame);
  counters_.misses.fetch_add(1, std::memory_order_relaxed);
  replacer_.insert(id);
  file_.read(id, *frame->page);
  return page;
}

/// A page was read once: leave it in the old list. Later it moves only after a good part of the young
/// list was replaced since its last move, as pages near the head gain nothing from it.
bool BufferPool::is_too_old(const Frame &frame) const {
  if (!frame.touched_again.load(std::memory_order_relaxed))
    return true;
  const std::uint64_t evictions = eviction_clock_.load(std::memory_order_relaxed);
  return evictions - frame.young_at.load(std::memory_order_relaxed) > frames_.size() / 8;
}

void BufferPool::make_young(Frame &frame) {
  thread_local LruBacklog backlog;
  frame.touched_again.store(true, std::memory_order_relaxed);
  frame.young_at.store(eviction_clock_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  replacer_.make_young(frame.id, backlog);
}

/// A frame that belongs to the caller alone, pinned. When all frames are pinned for the moment, others
/// are about to release theirs.
Frame *BufferPool::take_frame() {
  constexpr int attempts = 2000;
  for (int i = 0; i < attempts; ++i) {
    if (Frame *const frame = pop_free_frame())
      return frame;
    if (Frame *const frame = evict_page())
      return frame;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  throw std::runtime_error("all frames of the buffer pool are pinned; raise --pool-pages");
}

Frame *BufferPool::pop_free_frame() {
  const std::lock_guard lock(free_mutex_);
  if (free_frames_.empty())
    return nullptr;
  Frame *const frame = free_frames_.back();
  free_frames_.pop_back();
  frame->pins.store(1, std::memory_order_relaxed);
  return frame;
}

Frame *BufferPool::evict_page() {
  while (Frame *const frame = claim_victim()) {
    const PageRef claim(frame);
    if (frame->dirty.load(std::memory_order_acquire))
      write_back(*frame);
    if (!detach(*frame))
      continue; // somebody wants the page after all
    frame->touched_again.store(false, std::memory_order_relaxed);
    eviction_clock_.fetch_add(1, std::memory_order_relaxed);
    frame->pins.fetch_add(1, std::memory_order_relaxed); // outlives `claim`
    return frame;
  }
  return nullptr;
}

/// Pins the unpinned page closest to the end of the LRU list; nullptr if there is none.
Frame *BufferPool::claim_victim() {
  Frame *victim = nullptr;
  replacer_.find_victim([&](PageId id) {
    Shard &home = shard(id);
    const std::lock_guard lock(home.mutex);
    const auto found = home.frames.find(id);
    if (found == home.frames.end() || found->second->pins.load(std::memory_order_acquire) != 0)
      return false;
    victim = found->second;
    victim->pins.store(1, std::memory_order_relaxed);
    return true;
  });
  return victim;
}

/// Takes the page out of the pool unless it was pinned or changed since it was claimed.
bool BufferPool::detach(Frame &frame) {
  return replacer_.remove_if(frame.id, [&] {
    Shard &home = shard(frame.id);
    const std::lock_guard lock(home.mutex);
    if (frame.pins.load(std::memory_order_acquire) != 1 || frame.dirty.load(std::memory_order_acquire))
      return false;
    home.frames.erase(frame.id);
    return true;
  });
}

/// Write-ahead rule: first the log that describes the changes, then the page.
void BufferPool::write_back(Frame &frame) {
  const std::shared_lock latch(frame.latch);
  for (std::size_t stream = 0; stream < max_log_streams; ++stream)
    if (const Lsn lsn = frame.log_lsn[stream].load(std::memory_order_relaxed))
      log_.force({stream, lsn});
  frame.dirty.store(false, std::memory_order_relaxed); // writers need the latch to set it again
  file_.write(frame.id, *frame.page);
  counters_.write_backs.fetch_add(1, std::memory_order_relaxed);
}

} // namespace minidb
