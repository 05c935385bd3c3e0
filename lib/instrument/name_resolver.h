// A function as the user names it -> its definition.
#pragma once

#include "unit_store.h"

#include <llvm/Support/Error.h>

#include <string>
#include <string_view>

namespace vprof::instrument {

// `spec` is NAME, a qualified end of the name (Class::name), or FILE:NAME where FILE is an end of the path.
// Pure.
bool matches(const Function &function, std::string_view spec);

// The one definition that `spec` names. Errors, each in one line: not found (near names offered), ambiguous
// (candidates with file:line), or in a file that Clang cannot parse.
llvm::Expected<FunctionRef> resolve(UnitStore &store, const std::string &spec, std::string_view what);

} // namespace vprof::instrument
