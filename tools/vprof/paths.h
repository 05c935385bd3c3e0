// Where the command finds its own parts and the run folders of a tree.
#pragma once

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace vprof {

// The folder that holds vprof/probe.h and vprof/runtime.h: beside an installed command, else in the source
// tree it was built from.
std::string runtime_include_dir();

// Clang's builtin headers (stddef.h ..): those of the Clang that vprof was built with.
std::string clang_resource_dir();

// Canonical absolute path; the path itself if it does not exist.
std::string absolute_path(const std::string &path);

// Newest numbered folder in TREE/.vprof/runs. Error: there is none.
llvm::Expected<std::string> newest_run(const std::string &tree);

// A new numbered folder in TREE/.vprof/runs.
llvm::Expected<std::string> make_next_run(const std::string &tree);

} // namespace vprof
