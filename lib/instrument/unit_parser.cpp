#include "unit_parser.h"

#include "file_util.h"
#include "function_finder.h"

#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/TextDiagnosticBuffer.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/ThreadPool.h>
#include <llvm/Support/VirtualFileSystem.h>

namespace vprof::instrument {
namespace {

class FactsConsumer : public clang::ASTConsumer {
public:
  FactsConsumer(const ParseOptions &options, const CompileCommand &command, UnitFacts &facts)
      : options_(options), command_(command), facts_(facts) {}
  void HandleTranslationUnit(clang::ASTContext &context) override {
    if (options_.with_facts)
      facts_ = find_functions(context, options_.tree, command_.directory);
  }

private:
  const ParseOptions &options_;
  const CompileCommand &command_;
  UnitFacts &facts_;
};

class FactsAction : public clang::ASTFrontendAction {
public:
  FactsAction(const ParseOptions &options, const CompileCommand &command, UnitFacts &facts)
      : options_(options), command_(command), facts_(facts) {}
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<FactsConsumer>(options_, command_, facts_);
  }

private:
  const ParseOptions &options_;
  const CompileCommand &command_;
  UnitFacts &facts_;
};

// Keeps errors as "real path:line:column: message"; warnings are the user's business.
class ErrorCollector : public clang::DiagnosticConsumer {
public:
  ErrorCollector(const std::string &directory, std::vector<std::string> &errors)
      : directory_(directory), errors_(errors) {}
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level < clang::DiagnosticsEngine::Error)
      return;
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    errors_.push_back(where(info) + text.str().str());
  }

private:
  std::string where(const clang::Diagnostic &info) const {
    if (!info.hasSourceManager() || !info.getLocation().isValid())
      return "";
    const clang::SourceManager &sources = info.getSourceManager();
    const auto [file, offset] = sources.getDecomposedExpansionLoc(info.getLocation());
    const clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
    if (!entry)
      return "";
    llvm::SmallString<256> path(entry->getName());
    llvm::sys::fs::make_absolute(directory_, path);
    const std::string real = real_path(path.str().str());
    return fmt::format("{}:{}:{}: ", real.empty() ? path.str().str() : real,
                       sources.getLineNumber(file, offset), sources.getColumnNumber(file, offset));
  }

  const std::string &directory_;
  std::vector<std::string> &errors_;
};

std::vector<std::string> tool_arguments(const CompileCommand &command, const ParseOptions &options) {
  std::vector<std::string> arguments = command.arguments;
  // -w: a warning that the build turned into an error is not a reason to leave a file alone.
  // No carets: with them Clang counts its errors aloud on stderr.
  for (const char *extra :
       {"-fsyntax-only", "-w", "-Wno-error", "-ferror-limit=20", "-fno-caret-diagnostics"})
    arguments.insert(arguments.begin() + 1, extra);
  if (!options.resource_dir.empty())
    arguments.insert(arguments.begin() + 1, "-resource-dir=" + options.resource_dir);
  return arguments;
}

UnitFacts parse_unit(const CompileCommand &command, const Overlay &overlay, const ParseOptions &options) {
  UnitFacts facts;
  std::vector<std::string> errors;
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> files(
      new llvm::vfs::OverlayFileSystem(llvm::vfs::createPhysicalFileSystem()));
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory(new llvm::vfs::InMemoryFileSystem);
  for (const auto &[path, content] : overlay)
    memory->addFile(path, 0, llvm::MemoryBuffer::getMemBuffer(content, path));
  files->pushOverlay(memory);
  if (files->setCurrentWorkingDirectory(command.directory)) {
    facts.errors.push_back(command.directory + ": working folder of the compile command is missing");
    return facts;
  }
  llvm::IntrusiveRefCntPtr<clang::FileManager> manager(
      new clang::FileManager(clang::FileSystemOptions{command.directory}, files));
  clang::tooling::ToolInvocation invocation(tool_arguments(command, options),
                                            std::make_unique<FactsAction>(options, command, facts),
                                            manager.get());
  ErrorCollector collector(command.directory, errors);
  invocation.setDiagnosticConsumer(&collector);
  if (!invocation.run() && errors.empty())
    errors.push_back(command.file + ": clang could not parse it");
  facts.file = command.file;
  facts.errors = std::move(errors);
  return facts;
}

} // namespace

std::vector<UnitFacts> parse_units(const std::vector<const CompileCommand *> &commands,
                                   const Overlay &overlay, const ParseOptions &options) {
  std::vector<UnitFacts> results(commands.size());
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(options.jobs));
  for (std::size_t i = 0; i < commands.size(); ++i)
    pool.async([&, i] { results[i] = parse_unit(*commands[i], overlay, options); });
  pool.wait();
  return results;
}

} // namespace vprof::instrument
