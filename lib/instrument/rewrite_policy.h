// May we? For a body probe and for a wrapped call: an empty string for yes, else the reason for no, in words
// for people. If unsure, the source is left alone. The reasons are listed in docs/instrumentation.md.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <string>

namespace vprof::instrument {

// The braces of a function's body: a function-try-block's are those of its try. Null if there is none.
const clang::CompoundStmt *body_braces(const clang::FunctionDecl &function);

// Postcondition of "": the body's `{` is spelled in a file, and a declaration may stand first in it.
std::string refuse_probe(const clang::FunctionDecl &function, const clang::SourceManager &sources);

// Whether the text of `call` may become the last statement of a statement expression. `in_template`: the call
// stands in a template, where its type differs between instantiations.
std::string refuse_wrap(const clang::CallExpr &call, bool in_template, const clang::ASTContext &context);

} // namespace vprof::instrument
