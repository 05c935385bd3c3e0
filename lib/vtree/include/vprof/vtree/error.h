// How the analyzer says that its input is unusable. Messages: lower case, no final period: what, where, what
// to do.
#ifndef VPROF_VTREE_ERROR_H
#define VPROF_VTREE_ERROR_H

#include "llvm/Support/Error.h"

#include <fmt/format.h>

#include <utility>

namespace vprof::vtree {

/// An llvm::Error for input that the user can correct (exit code 2), formatted as by fmt::format.
template <class... Args>
[[nodiscard]] llvm::Error bad_input(fmt::format_string<Args...> format, Args &&...args) {
  return llvm::createStringError(std::make_error_code(std::errc::invalid_argument), "%s",
                                 fmt::format(format, std::forward<Args>(args)...).c_str());
}

} // namespace vprof::vtree

#endif
