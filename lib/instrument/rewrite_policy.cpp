// A body probe is a declaration with a cleanup, put first in the function's body. It is impossible where a
// body may hold no declaration (naked), no call of a non-constexpr function (constexpr before C++20 and in
// constant evaluation), or where leaving the scope is not leaving the function (coroutines). It is unwanted
// where the author said so (no_instrument_function) or where nothing may run yet (ifunc resolvers run before
// relocation). It would change meaning under [[musttail]], which forbids cleanups.
//
// A wrap turns `f(x)` into a statement expression whose last statement is `f(x)`. Its value is a copy, which
// is the same thing only for scalars; temporaries made for the arguments would die earlier than before; and a
// text that a macro produces, or that is a macro's argument, may be used more than once or turned into a
// string.
#include "rewrite_policy.h"

#include "wait_calls.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

namespace vprof::instrument {
namespace {

class StatementScan : public clang::RecursiveASTVisitor<StatementScan> {
public:
  bool VisitAttributedStmt(clang::AttributedStmt *statement) {
    for (const clang::Attr *attribute : statement->getAttrs())
      must_tail |= llvm::isa<clang::MustTailAttr>(attribute);
    return true;
  }
  bool must_tail = false;
};

class ArgumentScan : public clang::RecursiveASTVisitor<ArgumentScan> {
public:
  explicit ArgumentScan(bool pointer_result) : pointer_result_(pointer_result) {}
  // A temporary without a destructor may end early unless the result could point into it.
  bool VisitMaterializeTemporaryExpr(clang::MaterializeTemporaryExpr *) {
    return !pointer_result_ || note("makes a temporary that the result may point into");
  }
  bool VisitCXXBindTemporaryExpr(clang::CXXBindTemporaryExpr *) {
    return note("makes a temporary with a destructor");
  }
  bool VisitCompoundLiteralExpr(clang::CompoundLiteralExpr *) { return note("makes a compound literal"); }
  bool VisitStmtExpr(clang::StmtExpr *) { return note("has a statement expression in it"); }
  bool VisitBlockExpr(clang::BlockExpr *) { return note("has a block in it"); }
  bool VisitCoawaitExpr(clang::CoawaitExpr *) { return note("suspends a coroutine"); }
  bool VisitVAArgExpr(clang::VAArgExpr *) { return note("reads a variable argument"); }
  bool TraverseLambdaExpr(clang::LambdaExpr *) { return true; } // its body is another function's
  std::string reason;

private:
  bool note(const char *why) {
    reason = why;
    return false;
  }
  bool pointer_result_;
};

bool is_coroutine(const clang::FunctionDecl &function) {
  return llvm::isa_and_nonnull<clang::CoroutineBodyStmt>(function.getBody());
}

std::string refuse_attributes(const clang::FunctionDecl &function) {
  if (function.hasAttr<clang::NakedAttr>())
    return "naked function";
  if (function.hasAttr<clang::NoInstrumentFunctionAttr>())
    return "no_instrument_function attribute";
  if (function.hasAttr<clang::AnyX86InterruptAttr>())
    return "interrupt handler";
  return "";
}

// Resolvers are named in an attribute of another function; Clang marks only that one.
bool is_ifunc_resolver(const clang::FunctionDecl &function) {
  const clang::DeclContext *unit = function.getASTContext().getTranslationUnitDecl();
  for (const clang::Decl *declaration : unit->decls())
    if (const clang::IFuncAttr *attribute = declaration->getAttr<clang::IFuncAttr>())
      if (function.getIdentifier() && attribute->getResolver() == function.getName())
        return true;
  return false;
}

} // namespace

const clang::CompoundStmt *body_braces(const clang::FunctionDecl &function) {
  const clang::Stmt *body = function.getBody();
  if (const clang::CXXTryStmt *attempt = llvm::dyn_cast_or_null<clang::CXXTryStmt>(body))
    return attempt->getTryBlock();
  if (const clang::CoroutineBodyStmt *coroutine = llvm::dyn_cast_or_null<clang::CoroutineBodyStmt>(body))
    return llvm::dyn_cast_or_null<clang::CompoundStmt>(coroutine->getBody());
  return llvm::dyn_cast_or_null<clang::CompoundStmt>(body);
}

std::string refuse_probe(const clang::FunctionDecl &function, const clang::SourceManager &sources) {
  const clang::CompoundStmt *braces = body_braces(function);
  if (!braces)
    return "no body in braces";
  if (braces->getLBracLoc().isMacroID())
    return "body opened by a macro";
  // A lambda is constexpr without being asked; what needs it to be, verification finds.
  const clang::CXXMethodDecl *method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  const bool is_lambda = method && method->getParent()->isLambda();
  if ((function.isConstexpr() && !is_lambda) || function.isConsteval())
    return "constexpr function";
  if (is_coroutine(function))
    return "coroutine";
  if (std::string reason = refuse_attributes(function); !reason.empty())
    return reason;
  StatementScan scan;
  scan.TraverseStmt(const_cast<clang::CompoundStmt *>(braces));
  if (scan.must_tail)
    return "musttail call in it";
  if (!function.isExternallyVisible() || function.getASTContext().getLangOpts().CPlusPlus == 0)
    if (is_ifunc_resolver(function))
      return "ifunc resolver";
  if (sources.isWrittenInScratchSpace(braces->getLBracLoc()))
    return "body made by a macro";
  return "";
}

// Range-for, coroutines and literals make calls that nobody wrote: there is no `)` where they end.
static bool is_written(const clang::CallExpr &call, const clang::SourceManager &sources) {
  const clang::SourceLocation end = call.getRParenLoc();
  return end.isValid() && end.isFileID() && *sources.getCharacterData(end) == ')' &&
         call.getBeginLoc() != end && sources.isBeforeInTranslationUnit(call.getBeginLoc(), end);
}

std::string refuse_wrap(const clang::CallExpr &call, bool in_template, const clang::ASTContext &context) {
  const clang::SourceManager &sources = context.getSourceManager();
  if (in_template || call.isTypeDependent() || call.isValueDependent())
    return "call in a template";
  if (call.getBeginLoc().isMacroID() || call.getEndLoc().isMacroID())
    return "call in a macro";
  if (sources.getFileID(call.getBeginLoc()) != sources.getFileID(call.getEndLoc()))
    return "call spread over files";
  if (llvm::isa<clang::CXXOperatorCallExpr>(call))
    return "operator";
  if (!is_written(call, sources))
    return "implicit call";
  const clang::QualType type = call.getType();
  if (!type->isVoidType() && !type->isScalarType())
    return "result is neither void nor scalar";
  if (!call.isPRValue())
    return "result is a reference";
  if (const clang::FunctionDecl *callee = call.getDirectCallee()) {
    if (callee->hasAttr<clang::ReturnsTwiceAttr>() ||
        (callee->getIdentifier() && is_frame_bound_call(callee->getName())))
      return "bound to its caller's frame";
    if (callee->isConstexpr() || callee->isConsteval())
      return "constexpr function";
  }
  ArgumentScan scan(type->isAnyPointerType());
  scan.TraverseStmt(const_cast<clang::CallExpr *>(&call));
  return scan.reason;
}

} // namespace vprof::instrument
