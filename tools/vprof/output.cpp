#include "output.h"

#include "option_parser.h"

#include <fmt/format.h>
#include <llvm/Support/raw_ostream.h>

#include <sys/ioctl.h>
#include <unistd.h>

namespace vprof {

llvm::Error write_output(const std::string &file, const std::string &text) {
  std::error_code error;
  llvm::raw_fd_ostream stream(file.empty() ? "-" : file, error);
  if (!error) {
    stream << text;
    stream.flush();
    error = stream.error();
    stream.clear_error();
  }
  if (error && error != std::errc::broken_pipe)
    return usage_error(
        fmt::format("{}: cannot be written: {}", file.empty() ? "standard output" : file, error.message()));
  return llvm::Error::success();
}

unsigned terminal_width(bool is_terminal) {
  constexpr unsigned fallback = 100;
  winsize size{};
  if (!is_terminal || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return fallback;
  return size.ws_col;
}

} // namespace vprof
