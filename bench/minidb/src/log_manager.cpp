#include "log_manager.h"

#include <cstdio>
#include <cstdlib>

namespace minidb {

LogManager::LogManager(const std::string &path_prefix, LogStreams streams, FlushPolicy policy,
                       std::chrono::milliseconds flush_interval)
    : policy_(policy), flush_interval_(flush_interval) {
  const std::size_t count = streams == LogStreams::parallel ? max_log_streams : 1;
  for (std::size_t i = 0; i < count; ++i)
    streams_.push_back(std::make_unique<Wal>(path_prefix + std::to_string(i)));
  if (policy_ != FlushPolicy::eager)
    background_ = std::thread([this] { flush_in_background(); });
}

LogManager::~LogManager() {
  if (!background_.joinable())
    return;
  {
    const std::lock_guard lock(stop_mutex_);
    stopping_ = true;
  }
  stop_signal_.notify_one();
  background_.join();
}

LogPosition LogManager::append(std::span<const std::byte> records) {
  const std::size_t stream = choose_stream();
  streams_[stream]->enter();
  return {stream, streams_[stream]->append(records)};
}

void LogManager::commit(LogPosition position) {
  Wal &stream = *streams_[position.stream];
  if (policy_ == FlushPolicy::eager)
    stream.flush_up_to(position.lsn, Wal::Durability::synced);
  else if (policy_ == FlushPolicy::lazy_flush)
    stream.flush_up_to(position.lsn, Wal::Durability::written);
  stream.leave();
  commit_count_.fetch_add(1, std::memory_order_relaxed);
}

void LogManager::force(LogPosition position) {
  streams_[position.stream]->flush_up_to(position.lsn, Wal::Durability::synced);
}

/// The stream with the fewest users: an idle one if there is one, so that a transaction waits for others
/// only when all streams are busy. Two may pick the same at the same time; that costs time, nothing else.
std::size_t LogManager::choose_stream() const {
  std::size_t best = 0;
  for (std::size_t i = 1; i < streams_.size(); ++i)
    if (streams_[i]->users() < streams_[best]->users())
      best = i;
  return best;
}

void LogManager::flush_in_background() {
  std::unique_lock lock(stop_mutex_);
  while (!stop_signal_.wait_for(lock, flush_interval_, [&] { return stopping_; })) {
    lock.unlock();
    try {
      for (const std::unique_ptr<Wal> &stream : streams_)
        stream->flush_all(Wal::Durability::synced);
    } catch (const std::exception &error) {
      std::fprintf(stderr, "minidb: background flush: %s\n", error.what());
      std::_Exit(1); // commits that were already reported can no longer be kept
    }
    lock.lock();
  }
}

std::uint64_t LogManager::sync_count() const {
  std::uint64_t count = 0;
  for (const std::unique_ptr<Wal> &stream : streams_)
    count += stream->sync_count();
  return count;
}

} // namespace minidb
