#include "compile_db.h"

#include "file_util.h"

#include <clang/Driver/Options.h>
#include <clang/Tooling/JSONCompilationDatabase.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Option/OptTable.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>

namespace vprof::instrument {
namespace {

namespace path = llvm::sys::path;

bool is_launcher(llvm::StringRef program) {
  static const llvm::StringSet<> launchers = {"ccache", "distcc", "icecc", "sccache", "gomacc"};
  return launchers.contains(path::filename(program));
}

bool names_cxx_compiler(llvm::StringRef program) {
  return path::filename(program).contains("++");
}

// Options that take Clang somewhere else than a plain parse, with their separate value.
bool takes_value_and_goes(llvm::StringRef argument) {
  return argument == "-o" || argument == "-MF" || argument == "-MT" || argument == "-MQ" || argument == "-MJ";
}
bool goes(llvm::StringRef argument) {
  return argument == "-c" || argument == "-S" || argument == "-M" || argument == "-MM" || argument == "-MD" ||
         argument == "-MMD" || argument == "-MP" || argument == "-MG" || argument.starts_with("-Wp,-M") ||
         argument.starts_with("-MF") || argument.starts_with("-specs=");
}

// Clang's driver refuses gcc-only -f, -m and --param options as unknown; for a parse they do not matter.
std::vector<std::string> without_unknown(const std::vector<std::string> &arguments) {
  std::vector<const char *> raw;
  for (const std::string &argument : arguments)
    raw.push_back(argument.c_str());
  unsigned missing_index = 0;
  unsigned missing_count = 0;
  llvm::opt::InputArgList parsed = clang::driver::getDriverOptTable().ParseArgs(
      llvm::ArrayRef(raw).drop_front(), missing_index, missing_count,
      llvm::opt::Visibility(clang::driver::options::ClangOption));
  llvm::StringSet<> unknown;
  for (const llvm::opt::Arg *argument : parsed.filtered(clang::driver::options::OPT_UNKNOWN))
    unknown.insert(argument->getAsString(parsed));
  std::vector<std::string> kept;
  for (const std::string &argument : arguments)
    if (!unknown.contains(argument))
      kept.push_back(argument);
  return kept;
}

std::string find_database(const std::string &tree, const std::string &build_dir) {
  const auto in = [](llvm::StringRef folder) {
    llvm::SmallString<256> file(folder);
    path::append(file, "compile_commands.json");
    return llvm::sys::fs::exists(file) ? file.str().str() : std::string();
  };
  if (!build_dir.empty())
    return in(build_dir);
  if (std::string file = in(tree); !file.empty())
    return file;
  std::vector<std::string> found;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(tree, error), end; it != end && !error; it.increment(error))
    if (path::filename(it->path()).starts_with("build"))
      if (std::string file = in(it->path()); !file.empty())
        found.push_back(file);
  return found.empty() ? std::string() : *std::min_element(found.begin(), found.end());
}

} // namespace

std::vector<std::string> clang_arguments(std::vector<std::string> arguments) {
  while (arguments.size() > 1 && is_launcher(arguments[0]))
    arguments.erase(arguments.begin());
  std::vector<std::string> kept;
  if (arguments.empty())
    return kept;
  kept.push_back(names_cxx_compiler(arguments[0]) ? "clang++" : "clang");
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (takes_value_and_goes(arguments[i])) {
      ++i;
      continue;
    }
    if (!goes(arguments[i]) && !(llvm::StringRef(arguments[i]).starts_with("-o") && arguments[i].size() > 2))
      kept.push_back(arguments[i]);
  }
  return without_unknown(kept);
}

llvm::Expected<std::vector<CompileCommand>> load_compile_db(const std::string &tree,
                                                            const std::string &build_dir) {
  const std::string database = find_database(tree, build_dir);
  if (database.empty())
    return bad_input(
        "no compile_commands.json in {}: configure with `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, "
        "or build under `bear -- make`, and name its folder with -p",
        build_dir.empty() ? tree : build_dir);
  std::string message;
  std::unique_ptr<clang::tooling::JSONCompilationDatabase> json =
      clang::tooling::JSONCompilationDatabase::loadFromFile(
          database, message, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!json)
    return bad_input("{}: {}: make the compile database anew", database,
                     llvm::StringRef(message).split('\n').first.str());
  std::vector<CompileCommand> commands;
  for (const clang::tooling::CompileCommand &entry : json->getAllCompileCommands()) {
    llvm::SmallString<256> file(entry.Filename);
    llvm::sys::fs::make_absolute(entry.Directory, file);
    const std::string real = real_path(file.str().str());
    if (real.empty() || !is_below(real, tree))
      continue;
    llvm::SmallString<256> output(entry.Output);
    if (output.empty())
      for (std::size_t i = 0; i + 1 < entry.CommandLine.size(); ++i)
        if (entry.CommandLine[i] == "-o")
          output = entry.CommandLine[i + 1];
    if (!output.empty())
      llvm::sys::fs::make_absolute(entry.Directory, output);
    commands.push_back({real, entry.Directory, output.str().str(), clang_arguments(entry.CommandLine)});
  }
  if (commands.empty())
    return bad_input("{} names no file below {}: this build folder belongs to another tree", database, tree);
  return commands;
}

} // namespace vprof::instrument
