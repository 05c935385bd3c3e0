// Where text goes.
#pragma once

#include <llvm/Support/Error.h>

#include <string>

namespace vprof {

// To standard output if `file` is empty. Error: cannot be written.
llvm::Error write_output(const std::string &file, const std::string &text);

// Columns of the terminal, 100 if it is none.
unsigned terminal_width(bool is_terminal);

} // namespace vprof
