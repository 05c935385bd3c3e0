// Two visitors: FunctionVisitor meets every definition in the tree, CallVisitor walks one body. Lambdas are
// functions of their own, so CallVisitor does not go into their bodies; operands that are never evaluated
// hold no calls.
#include "function_finder.h"

#include "file_util.h"
#include "rewrite_policy.h"
#include "wait_calls.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Mangle.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/Builtins.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Index/USRGeneration.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace vprof::instrument {
namespace {

// A function and all instantiations of its template are one: the pattern.
const clang::FunctionDecl &pattern_of(const clang::FunctionDecl &function) {
  const clang::FunctionDecl *pattern = function.getTemplateInstantiationPattern();
  return pattern ? *pattern : function;
}

std::string usr_of(const clang::FunctionDecl &function) {
  llvm::SmallString<128> usr;
  clang::index::generateUSRForDecl(&pattern_of(function), usr);
  return usr.str().str();
}

std::string qualified_name(const clang::FunctionDecl &function) {
  clang::PrintingPolicy policy(function.getASTContext().getLangOpts());
  policy.SuppressTemplateArgsInCXXConstructors = true;
  std::string name;
  llvm::raw_string_ostream stream(name);
  const clang::CXXMethodDecl *method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (method && method->getParent()->isLambda()) {
    const clang::DeclContext *outer = method->getParent()->getDeclContext();
    while (outer && !llvm::isa<clang::FunctionDecl>(outer))
      outer = outer->getParent();
    if (outer)
      stream << qualified_name(*llvm::cast<clang::FunctionDecl>(outer)) << "::";
    stream << "(lambda)";
    return name;
  }
  pattern_of(function).printQualifiedName(stream, policy);
  return name;
}

// Compiler builtins that compute and return; I/O and memory builtins (printf, malloc) are real calls.
bool is_cheap_builtin(const clang::FunctionDecl &function) {
  const unsigned id = function.getBuiltinID();
  if (id == 0)
    return false;
  const llvm::StringRef name = function.getName();
  if (name.starts_with("__builtin") || name.starts_with("__atomic") || name.starts_with("__sync") ||
      name.starts_with("_mm") || name.starts_with("__c11"))
    return true;
  const char *header = function.getASTContext().BuiltinInfo.getHeaderName(id);
  return !header || llvm::StringSwitch<bool>(header)
                        .Cases("string.h", "strings.h", "ctype.h", "math.h", "complex.h", "wchar.h", true)
                        .Default(false);
}

class Finder {
public:
  Finder(clang::ASTContext &context, const std::string &tree, const std::string &directory)
      : context_(context), sources_(context.getSourceManager()), mangler_(context), tree_(tree),
        directory_(directory) {}

  // File is empty if `location` is in a macro expansion or outside the tree.
  Place place(clang::SourceLocation location) {
    Place place;
    if (location.isInvalid() || location.isMacroID())
      return place;
    const auto [file, offset] = sources_.getDecomposedLoc(location);
    place.file = path_of(file);
    place.offset = offset;
    place.line = sources_.getLineNumber(file, offset);
    return place;
  }

  std::vector<std::string> symbols(const clang::FunctionDecl &function) {
    if (function.isTemplated() || function.isDependentContext() || function.getBuiltinID())
      return {};
    if (llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(function))
      return mangler_.getAllManglings(&function);
    return {mangler_.getName(&function)};
  }

  clang::ASTContext &context() { return context_; }
  const clang::SourceManager &sources() const { return sources_; }
  const std::string &tree() const { return tree_; }

private:
  const std::string &path_of(clang::FileID file) {
    const auto [it, inserted] = paths_.try_emplace(file.getHashValue());
    if (!inserted)
      return it->second;
    const clang::OptionalFileEntryRef entry = sources_.getFileEntryRefForID(file);
    if (!entry)
      return it->second;
    llvm::SmallString<256> absolute(entry->getName());
    if (!llvm::sys::path::is_absolute(absolute)) {
      absolute = directory_;
      llvm::sys::path::append(absolute, entry->getName());
    }
    const std::string real = real_path(absolute.str().str());
    if (is_below(real, tree_))
      it->second = real;
    return it->second;
  }

  clang::ASTContext &context_;
  const clang::SourceManager &sources_;
  clang::ASTNameGenerator mangler_;
  const std::string &tree_;
  const std::string &directory_;
  std::map<unsigned, std::string> paths_; // file id -> real path below the tree, or empty
};

class CallVisitor : public clang::RecursiveASTVisitor<CallVisitor> {
public:
  CallVisitor(Finder &finder, const clang::FunctionDecl &caller, Function &function)
      : finder_(finder), in_template_(caller.isTemplateInstantiation() || caller.isTemplated()),
        function_(function) {}

  bool shouldVisitImplicitCode() const { return true; }
  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) {
    for (clang::Expr *capture : lambda->capture_inits())
      TraverseStmt(capture);
    return true;
  }
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr *) { return true; }
  bool TraverseCXXNoexceptExpr(clang::CXXNoexceptExpr *) { return true; }
  bool TraverseCXXTypeidExpr(clang::CXXTypeidExpr *) { return true; }
  bool TraverseTypeLoc(clang::TypeLoc) { return true; }
  bool TraverseGenericSelectionExpr(clang::GenericSelectionExpr *selection) {
    return selection->isResultDependent() || TraverseStmt(selection->getResultExpr());
  }
  bool TraverseDecl(clang::Decl *declaration) { // local classes and functions have bodies of their own
    return llvm::isa_and_nonnull<clang::TagDecl, clang::FunctionDecl>(declaration) ||
           RecursiveASTVisitor::TraverseDecl(declaration);
  }

  bool VisitCallExpr(clang::CallExpr *call) {
    if (const clang::FunctionDecl *callee = call->getDirectCallee())
      add_direct(*call, *callee);
    else if (!call->isTypeDependent() && !llvm::isa<clang::CXXPseudoDestructorExpr>(call->getCallee()))
      add_indirect(*call);
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *construct) {
    return add_special(*construct->getConstructor(), construct->getBeginLoc(), "constructor");
  }
  bool VisitVarDecl(clang::VarDecl *variable) {
    if (!variable->getType()->isDependentType())
      add_destructor(variable->getType(), variable->getBeginLoc());
    return true;
  }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr *expression) {
    if (!expression->isTypeDependent() && !expression->getDestroyedType().isNull())
      add_destructor(expression->getDestroyedType(), expression->getBeginLoc());
    return true;
  }
  bool VisitForStmt(clang::ForStmt *loop) { return add_loop(*loop, loop->getForLoc(), *loop->getBody()); }
  bool VisitWhileStmt(clang::WhileStmt *loop) {
    return add_loop(*loop, loop->getWhileLoc(), *loop->getBody());
  }
  bool VisitDoStmt(clang::DoStmt *loop) { return add_loop(*loop, loop->getDoLoc(), *loop->getBody()); }
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt *loop) {
    return add_loop(*loop, loop->getForLoc(), *loop->getBody());
  }

private:
  void add(Call &&call) {
    if (seen_.insert({call.begin.file, call.begin.offset, call.callee_usr + call.callee_name}).second)
      function_.calls.push_back(std::move(call));
  }

  void describe(Call &call, const clang::FunctionDecl &callee) {
    call.callee_usr = usr_of(callee);
    call.callee_name = qualified_name(callee);
    call.callee_symbols = finder_.symbols(callee);
    call.callee_cheap = is_cheap_builtin(callee);
    call.callee_returns = !callee.isNoReturn();
    call.callee_waits = is_waiting_call(call.callee_name);
    const clang::FunctionDecl *definition = nullptr;
    if (pattern_of(callee).isDefined(definition) && definition)
      call.callee_inline_library =
          finder_.place(definition->getLocation()).file.empty() && !definition->getLocation().isMacroID();
  }

  void add_direct(const clang::CallExpr &expression, const clang::FunctionDecl &callee) {
    if (callee.getIdentifier() && returns_twice(callee.getName()) && !in_template_)
      add_landing(expression);
    Call call;
    describe(call, callee);
    const clang::CXXMethodDecl *method = llvm::dyn_cast<clang::CXXMethodDecl>(&callee);
    const clang::MemberExpr *member =
        llvm::dyn_cast<clang::MemberExpr>(expression.getCallee()->IgnoreParens());
    if (method && method->isVirtual() && member &&
        member->performsVirtualDispatch(finder_.context().getLangOpts()))
      call.kind = CallKind::virtual_;
    place_call(call, expression);
    add(std::move(call));
  }

  // setjmp is a macro: its call is the whole of what the macro expands to, or it is left alone.
  void add_landing(const clang::CallExpr &expression) {
    const clang::SourceManager &sources = finder_.sources();
    if (sources.isMacroArgExpansion(expression.getBeginLoc()))
      return;
    const clang::CharSourceRange range =
        clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(expression.getSourceRange()),
                                        sources, finder_.context().getLangOpts());
    if (range.isInvalid())
      return;
    const Landing landing{finder_.place(range.getBegin()), sources.getFileOffset(range.getEnd())};
    if (!landing.begin.file.empty())
      function_.landings.push_back(landing);
  }

  void add_indirect(const clang::CallExpr &expression) {
    Call call;
    call.kind = CallKind::indirect;
    call.callee_name = "*" + clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(
                                                             expression.getCallee()->getSourceRange()),
                                                         finder_.sources(), finder_.context().getLangOpts())
                                 .str();
    place_call(call, expression);
    add(std::move(call));
  }

  void place_call(Call &call, const clang::CallExpr &expression) {
    call.no_wrap = refuse_wrap(expression, in_template_, finder_.context());
    call.begin = finder_.place(expression.getBeginLoc());
    if (call.begin.file.empty()) { // for people: where the macro stands
      Place expanded = finder_.place(finder_.sources().getExpansionLoc(expression.getBeginLoc()));
      call.begin = expanded;
      if (call.no_wrap.empty())
        call.no_wrap = "call in a macro";
    }
    const clang::SourceLocation end = clang::Lexer::getLocForEndOfToken(
        expression.getEndLoc(), 0, finder_.sources(), finder_.context().getLangOpts());
    if (end.isFileID())
      call.end_offset = finder_.sources().getFileOffset(end);
  }

  bool add_special(const clang::FunctionDecl &callee, clang::SourceLocation location, const char *what) {
    if (!callee.isUserProvided())
      return true;
    Call call;
    describe(call, callee);
    call.begin = finder_.place(finder_.sources().getExpansionLoc(location));
    call.no_wrap = what;
    add(std::move(call));
    return true;
  }

  void add_destructor(clang::QualType type, clang::SourceLocation location) {
    const clang::CXXRecordDecl *record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (type->isReferenceType() || !record || !record->hasDefinition())
      return;
    if (const clang::CXXDestructorDecl *destructor = record->getDestructor())
      add_special(*destructor, location, "destructor");
  }

  bool add_loop(const clang::Stmt &statement, clang::SourceLocation keyword, const clang::Stmt &body) {
    if (in_template_)
      return true;
    Loop loop;
    const clang::SourceManager &sources = finder_.sources();
    loop.line = sources.getExpansionLineNumber(keyword);
    const clang::CompoundStmt *braces = llvm::dyn_cast<clang::CompoundStmt>(&body);
    loop.compound = braces != nullptr;
    if (statement.getBeginLoc().isMacroID() || body.getBeginLoc().isMacroID() ||
        body.getEndLoc().isMacroID()) {
      loop.refusal = "loop made by a macro";
    } else if (braces) {
      loop.body = finder_.place(braces->getLBracLoc());
      loop.body.offset += token_length(braces->getLBracLoc());
    } else {
      loop.body = finder_.place(body.getBeginLoc());
      loop.body_end = end_of_statement(body);
      if (loop.body_end == 0)
        loop.refusal = "end of the loop's body not found";
    }
    function_.loops.push_back(std::move(loop));
    return true;
  }

  unsigned token_length(clang::SourceLocation location) const {
    return clang::Lexer::MeasureTokenLength(location, finder_.sources(), finder_.context().getLangOpts());
  }

  // One past the `;` or `}` that ends an unbraced body, 0 if it is not where it should be.
  unsigned end_of_statement(const clang::Stmt &body) const {
    const clang::SourceManager &sources = finder_.sources();
    const clang::LangOptions &language = finder_.context().getLangOpts();
    clang::SourceLocation end = clang::Lexer::getLocForEndOfToken(body.getEndLoc(), 0, sources, language);
    if (llvm::isa<clang::Expr, clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt, clang::GotoStmt,
                  clang::DoStmt>(body))
      end =
          clang::Lexer::findLocationAfterToken(body.getEndLoc(), clang::tok::semi, sources, language, false);
    return end.isValid() && end.isFileID() ? sources.getFileOffset(end) : 0;
  }

  Finder &finder_;
  bool in_template_;
  Function &function_;
  std::set<std::tuple<std::string, unsigned, std::string>> seen_;
};

class FunctionVisitor : public clang::RecursiveASTVisitor<FunctionVisitor> {
public:
  FunctionVisitor(Finder &finder, UnitFacts &facts) : finder_(finder), facts_(facts) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return false; }

  bool VisitCXXMethodDecl(clang::CXXMethodDecl *method) {
    if (method->isThisDeclarationADefinition())
      for (const clang::CXXMethodDecl *base : method->overridden_methods())
        note_overrider(*base, usr_of(*method));
    return true;
  }

  // The class of a lambda is implicit, so nobody else leads to its call operator.
  bool VisitLambdaExpr(clang::LambdaExpr *lambda) { return VisitFunctionDecl(lambda->getCallOperator()); }

  bool VisitFunctionDecl(clang::FunctionDecl *declaration) {
    if (!declaration->doesThisDeclarationHaveABody() || declaration->isImplicit() ||
        declaration->isDefaulted())
      return true;
    const clang::FunctionDecl &pattern = pattern_of(*declaration);
    const std::string usr = usr_of(*declaration);
    auto [it, inserted] = index_.try_emplace(usr, facts_.functions.size());
    if (inserted) {
      Function function = describe(pattern, usr);
      if (function.start.file.empty() && function.body.file.empty()) {
        index_.erase(it);
        return true;
      }
      facts_.functions.push_back(std::move(function));
    }
    collect_calls(*declaration, facts_.functions[it->second]);
    return true;
  }

  // Overriders are known only when the whole unit was seen.
  void link_overriders() {
    for (Function &function : facts_.functions)
      for (Call &call : function.calls)
        if (call.kind == CallKind::virtual_)
          if (const auto it = overriders_.find(call.callee_usr); it != overriders_.end())
            call.overriders = it->second;
  }

private:
  Function describe(const clang::FunctionDecl &pattern, const std::string &usr) {
    Function function;
    function.usr = usr;
    function.name = qualified_name(pattern);
    function.symbols = finder_.symbols(pattern);
    function.internal = !pattern.isExternallyVisible();
    function.start = finder_.place(finder_.sources().getExpansionLoc(pattern.getLocation()));
    function.refusal = refuse_probe(pattern, finder_.sources());
    if (const clang::CompoundStmt *braces = body_braces(pattern); braces && function.refusal.empty()) {
      function.body = finder_.place(braces->getLBracLoc());
      function.body.offset = first_statement_offset(*braces);
      if (function.body.file.empty())
        function.refusal = "body outside the tree";
    }
    return function;
  }

  // Behind the `{` (two bytes as a digraph) and behind __label__ declarations, which must stand first.
  unsigned first_statement_offset(const clang::CompoundStmt &braces) {
    const clang::SourceManager &sources = finder_.sources();
    const clang::LangOptions &language = finder_.context().getLangOpts();
    clang::SourceLocation after =
        clang::Lexer::getLocForEndOfToken(braces.getLBracLoc(), 0, sources, language);
    for (const clang::Stmt *statement : braces.body()) {
      const clang::DeclStmt *declaration = llvm::dyn_cast<clang::DeclStmt>(statement);
      const clang::LabelDecl *label =
          declaration ? llvm::dyn_cast<clang::LabelDecl>(*declaration->decl_begin()) : nullptr;
      if (!label || !label->isGnuLocal())
        break;
      after = clang::Lexer::getLocForEndOfToken(declaration->getEndLoc(), 0, sources, language);
    }
    return sources.getFileOffset(after);
  }

  void collect_calls(const clang::FunctionDecl &declaration, Function &function) {
    CallVisitor visitor(finder_, declaration, function);
    if (const clang::CXXConstructorDecl *constructor =
            llvm::dyn_cast<clang::CXXConstructorDecl>(&declaration))
      for (const clang::CXXCtorInitializer *initializer : constructor->inits())
        if (initializer->isWritten())
          visitor.TraverseStmt(initializer->getInit());
    // A coroutine's statements without what the language wraps around them.
    const clang::CoroutineBodyStmt *coroutine =
        llvm::dyn_cast<clang::CoroutineBodyStmt>(declaration.getBody());
    visitor.TraverseStmt(coroutine ? coroutine->getBody() : declaration.getBody());
  }

  void note_overrider(const clang::CXXMethodDecl &base, const std::string &usr) {
    std::vector<std::string> &known = overriders_[usr_of(base)];
    if (std::find(known.begin(), known.end(), usr) == known.end())
      known.push_back(usr);
    for (const clang::CXXMethodDecl *further : base.overridden_methods())
      note_overrider(*further, usr);
  }

  Finder &finder_;
  UnitFacts &facts_;
  llvm::StringMap<std::size_t> index_;
  std::map<std::string, std::vector<std::string>> overriders_;
};

} // namespace

UnitFacts find_functions(clang::ASTContext &context, const std::string &tree, const std::string &directory) {
  UnitFacts facts;
  Finder finder(context, tree, directory);
  FunctionVisitor visitor(finder, facts);
  visitor.TraverseDecl(context.getTranslationUnitDecl());
  visitor.link_overriders();
  return facts;
}

} // namespace vprof::instrument
