#include "file.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <stdlib.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace minidb {

File::File(std::string path, Caching caching) : path_(std::move(path)) {
  const int flags = O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | (caching == Caching::direct ? O_DIRECT : 0);
  fd_ = ::open(path_.c_str(), flags, 0600);
  if (fd_ < 0)
    fail("open");
}

File::~File() {
  ::close(fd_);
}

void File::read_at(std::span<std::byte> bytes, std::uint64_t offset) const {
  while (!bytes.empty()) {
    const ssize_t count = ::pread(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR)
      continue;
    if (count == 0)
      errno = EIO; // past the end
    if (count <= 0)
      fail("read");
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

void File::write_at(std::span<const std::byte> bytes, std::uint64_t offset) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      fail("write");
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

void File::sync_data() {
  if (::fdatasync(fd_) != 0)
    fail("sync");
}

void File::fail(const char *action) const {
  throw std::system_error(errno, std::generic_category(), std::string("cannot ") + action + " " + path_);
}

ScratchFolder::ScratchFolder(const std::string &parent) : path_(parent + "/minidb-XXXXXX") {
  if (!::mkdtemp(path_.data()))
    throw std::system_error(errno, std::generic_category(), "cannot create a scratch folder in " + parent);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored; // nothing sensible is left to be done
  std::filesystem::remove_all(path_, ignored);
}

} // namespace minidb
