// compile_commands.json -> commands that Clang accepts.
#pragma once

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace vprof::instrument {

struct CompileCommand {
  std::string file;                   // real path of the main file
  std::string directory;              // working directory of the compilation
  std::string output;                 // absolute path of the object, empty if unknown
  std::vector<std::string> arguments; // for Clang: [0] is the driver, launchers and gcc-only flags taken out
};

// Looks in `build_dir`, or, when it is empty, in `tree` and its folders build*, and keeps the C and C++
// commands whose file exists and lies in the tree. Errors: no database (says how to make one), unreadable,
// none of its files in the tree.
llvm::Expected<std::vector<CompileCommand>> load_compile_db(const std::string &tree,
                                                            const std::string &build_dir);

// Pure: without launchers (ccache, distcc, icecc, sccache), -c, -o FILE, dependency output, and options
// unknown to Clang.
std::vector<std::string> clang_arguments(std::vector<std::string> arguments);

} // namespace vprof::instrument
