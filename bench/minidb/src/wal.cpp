#include "wal.h"

#include <stdexcept>

namespace minidb {

Wal::Wal(const std::string &path) : file_(path, File::Caching::buffered) {}

Lsn Wal::append(std::span<const std::byte> records) {
  const std::lock_guard lock(mutex_);
  buffer_.insert(buffer_.end(), records.begin(), records.end());
  appended_ += records.size();
  return appended_;
}

void Wal::flush_up_to(Lsn lsn, Durability durability) {
  std::unique_lock lock(mutex_);
  while (!reached(lsn, durability)) {
    if (failed_)
      throw std::runtime_error("the log is broken after a failed write");
    if (flushing_)
      flushed_.wait(lock);
    else
      lead_flush(lock, durability);
  }
}

void Wal::flush_all(Durability durability) {
  Lsn end = 0;
  {
    const std::lock_guard lock(mutex_);
    end = appended_;
  }
  flush_up_to(end, durability);
}

Lsn Wal::synced_lsn() const {
  const std::lock_guard lock(mutex_);
  return synced_;
}

bool Wal::reached(Lsn lsn, Durability durability) const {
  return (durability == Durability::synced ? synced_ : written_) >= lsn;
}

/// Others go on appending while the leader is at the file, so the mutex is free meanwhile.
void Wal::lead_flush(std::unique_lock<std::mutex> &lock, Durability durability) {
  flushing_ = true;
  writing_.swap(buffer_);
  const Lsn begin = written_;
  const Lsn end = appended_;
  lock.unlock();
  try {
    write_buffer(writing_, begin);
    if (durability == Durability::synced)
      sync_file();
  } catch (...) {
    lock.lock();
    failed_ = true;
    flushing_ = false;
    flushed_.notify_all();
    throw;
  }
  lock.lock();
  writing_.clear();
  written_ = end;
  if (durability == Durability::synced)
    synced_ = end;
  flushing_ = false;
  flushed_.notify_all();
}

void Wal::write_buffer(std::span<const std::byte> bytes, Lsn offset) {
  file_.write_at(bytes, offset);
}

void Wal::sync_file() {
  file_.sync_data();
  sync_count_.fetch_add(1, std::memory_order_relaxed);
}

} // namespace minidb
