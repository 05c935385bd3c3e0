// Small helpers on paths and files that the stages share.
#pragma once

#include <fmt/format.h>
#include <llvm/Support/Error.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace vprof::instrument {

// An error that the user can mend; the command prints it as one line and exits with 2.
template <typename... Args>
llvm::Error bad_input(fmt::format_string<Args...> format, Args &&...args) {
  return llvm::createStringError(std::errc::invalid_argument, "%s",
                                 fmt::format(format, std::forward<Args>(args)...).c_str());
}

// Canonical path without links, empty if there is no such file.
std::string real_path(const std::string &path);

// `path` is `folder` or lies below it (both canonical) and not in its .vprof folder.
bool is_below(std::string_view path, std::string_view folder);

// `path` relative to `folder`, unchanged if it does not lie below it.
std::string relative_to(const std::string &path, const std::string &folder);

llvm::Expected<std::string> read_file(const std::string &path);

// Writes a temporary file beside `path`, flushes it to disk and renames it over `path`. An existing file's
// mode and owner are kept.
llvm::Error write_file(const std::string &path, std::string_view content);

// Lower-case hex.
std::string sha256(std::string_view content);

std::uint64_t fnv1a64(std::string_view text);

} // namespace vprof::instrument
