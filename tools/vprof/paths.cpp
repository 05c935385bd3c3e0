#include "paths.h"

#include "option_parser.h"

#include <fmt/format.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace vprof {
namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

unsigned newest_number(const std::string &runs) {
  unsigned newest = 0;
  std::error_code error;
  for (fs::directory_iterator it(runs, error), end; it != end && !error; it.increment(error)) {
    unsigned number = 0;
    if (!path::filename(it->path()).getAsInteger(10, number))
      newest = std::max(newest, number);
  }
  return newest;
}

} // namespace

std::string runtime_include_dir() {
  const std::string executable = fs::getMainExecutable(nullptr, nullptr);
  llvm::SmallString<256> installed(path::parent_path(path::parent_path(executable)));
  path::append(installed, "include");
  if (fs::exists(installed + "/vprof/probe.h"))
    return installed.str().str();
  return VPROF_RUNTIME_SOURCE_DIR;
}

std::string clang_resource_dir() {
  return VPROF_CLANG_RESOURCE_DIR;
}

std::string absolute_path(const std::string &given) {
  llvm::SmallString<256> real;
  if (!fs::real_path(given, real))
    return real.str().str();
  llvm::SmallString<256> absolute(given);
  fs::make_absolute(absolute);
  return absolute.str().str();
}

llvm::Expected<std::string> newest_run(const std::string &tree) {
  const std::string runs = tree + "/.vprof/runs";
  if (const unsigned newest = newest_number(runs))
    return fmt::format("{}/{}", runs, newest);
  return usage_error(
      fmt::format("no run in {}: run the program with `vprof run -- CMD`, or name a run folder", runs));
}

llvm::Expected<std::string> make_next_run(const std::string &tree) {
  const std::string runs = tree + "/.vprof/runs";
  const std::string folder = fmt::format("{}/{}", runs, newest_number(runs) + 1);
  if (std::error_code error = fs::create_directories(folder))
    return usage_error(fmt::format("{}: cannot be made: {}", folder, error.message()));
  return folder;
}

} // namespace vprof
