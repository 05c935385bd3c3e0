#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace minidb {

/// A file open for reading and writing, created empty. Failures throw std::system_error with the path.
class File {
public:
  enum class Caching : std::uint8_t { buffered, direct }; // direct: O_DIRECT, past the page cache

  File(std::string path, Caching caching);
  ~File();
  File(const File &) = delete;
  File &operator=(const File &) = delete;

  void read_at(std::span<std::byte> bytes, std::uint64_t offset) const;
  void write_at(std::span<const std::byte> bytes, std::uint64_t offset);
  void sync_data(); // fdatasync

private:
  [[noreturn]] void fail(const char *action) const;

  std::string path_;
  int fd_;
};

/// A fresh folder below `parent`, removed with all it holds at the end.
class ScratchFolder {
public:
  explicit ScratchFolder(const std::string &parent);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;

  std::string file(const std::string &name) const { return path_ + "/" + name; }

private:
  std::string path_;
};

} // namespace minidb
