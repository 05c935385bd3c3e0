#include "file_util.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/SHA256.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace vprof::instrument {
namespace {

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// The new file looks to others like the old one: same mode, and same owner where we may set it.
void copy_attributes(int descriptor, const std::string &from) {
  struct stat old{};
  if (::stat(from.c_str(), &old) != 0) {
    ::fchmod(descriptor, 0644);
    return;
  }
  if (::fchown(descriptor, old.st_uid, old.st_gid) != 0) {
    // Not ours to give away: the writer becomes the owner, as with any editor.
  }
  ::fchmod(descriptor, old.st_mode & 07777);
}

} // namespace

std::string real_path(const std::string &path) {
  llvm::SmallString<256> real;
  return llvm::sys::fs::real_path(path, real) ? std::string() : real.str().str();
}

bool is_below(std::string_view path, std::string_view folder) {
  if (!path.starts_with(folder))
    return false;
  std::string_view rest = path.substr(folder.size());
  if (folder != "/" && !rest.empty() && rest.front() != '/')
    return false;
  return !rest.starts_with("/.vprof/");
}

std::string relative_to(const std::string &path, const std::string &folder) {
  return is_below(path, folder) && path.size() > folder.size() ? path.substr(folder.size() + 1) : path;
}

llvm::Expected<std::string> read_file(const std::string &path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return bad_input("{}: cannot be read: {}", path, buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

llvm::Error write_file(const std::string &path, std::string_view content) {
  std::string temporary = path + ".vprof-XXXXXX";
  const int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0)
    return bad_input("{}: its folder cannot be written: {}", path, std::strerror(errno));
  copy_attributes(descriptor, path);
  const bool written = write_all(descriptor, content) && ::fsync(descriptor) == 0;
  const int error = errno;
  ::close(descriptor);
  if (written && ::rename(temporary.c_str(), path.c_str()) == 0)
    return llvm::Error::success();
  const std::string why = std::strerror(written ? errno : error);
  ::unlink(temporary.c_str());
  return bad_input("{}: cannot be written: {}", path, why);
}

std::string sha256(std::string_view content) {
  llvm::SHA256 hash;
  hash.update(llvm::StringRef(content.data(), content.size()));
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

std::uint64_t fnv1a64(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return hash;
}

} // namespace vprof::instrument
