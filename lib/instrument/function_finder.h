// AST -> UnitFacts: finds, decides nothing but what rewrite_policy answers.
#pragma once

#include "facts.h"

#include <clang/AST/ASTContext.h>

#include <string>

namespace vprof::instrument {

// Functions with a body in a file below `tree` (a real path), template patterns once with the calls of all
// their instantiations in this unit. `directory` is the unit's working directory.
UnitFacts find_functions(clang::ASTContext &context, const std::string &tree, const std::string &directory);

} // namespace vprof::instrument
