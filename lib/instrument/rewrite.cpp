#include "rewrite.h"

#include "file_util.h"
#include "include_point.h"
#include "probe_text.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace vprof::instrument {
namespace {

std::string include_folder(const std::string &tree) {
  return tree + "/.vprof/include/vprof";
}

std::string mode_bits(const std::vector<std::string> &modes) {
  std::string bits;
  for (const std::string &mode : modes)
    bits += (bits.empty() ? "VPROF_I_MODE_" : " | VPROF_I_MODE_") + llvm::StringRef(mode).upper();
  return bits.empty() ? "0" : bits;
}

llvm::Expected<std::map<std::string, std::string>> runtime_headers(const Request &request) {
  std::map<std::string, std::string> headers;
  const std::string from = request.runtime_dir + "/vprof";
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(from, error), end; it != end && !error;
       it.increment(error)) {
    if (!llvm::StringRef(it->path()).ends_with(".h"))
      continue;
    llvm::Expected<std::string> content = read_file(it->path());
    if (!content)
      return content.takeError();
    headers[include_folder(request.tree) + it->path().substr(from.size())] = std::move(*content);
  }
  if (error || !headers.contains(include_folder(request.tree) + "/probe.h"))
    return llvm::createStringError(std::errc::no_such_file_or_directory,
                                   "the runtime's headers are not in %s: the installation is incomplete",
                                   from.c_str());
  return headers;
}

llvm::Expected<std::string> original_content(const std::string &file, const UnitStore &store) {
  const auto it = store.originals().find(file);
  if (it != store.originals().end())
    return it->second;
  return read_file(file);
}

void add_includes(EditSet &edits, const std::map<std::string, std::string> &originals,
                  const std::string &tree) {
  std::vector<std::string> files;
  for (const auto &[file, insertions] : edits.files())
    files.push_back(file);
  for (const std::string &file : files)
    edits.add(file, include_insertion(originals.at(file), include_line(include_folder(tree) + "/probe.h")));
}

std::set<std::size_t> units_to_verify(const Rewrite &rewrite, const Plan &plan, const UnitStore &store) {
  std::set<std::size_t> units = {plan.root_command};
  std::set<std::string> covered;
  for (std::size_t i = 0; i < store.commands().size(); ++i)
    if (rewrite.contents.contains(store.commands()[i].file)) {
      units.insert(i);
      covered.insert(store.commands()[i].file);
    }
  store.for_each([&](const FunctionRef &ref) {
    const std::string &file = ref.function->body.file;
    if (rewrite.contents.contains(file) && covered.insert(file).second)
      units.insert(ref.command);
  });
  return units;
}

// An error reads "path:line:column: message".
void blame(const std::string &error, const Rewrite &rewrite, const Plan &plan, const CompileCommand &command,
           Blocked &failed) {
  const std::string reason = "does not parse with a probe in it: " + error;
  for (const auto &[file, content] : rewrite.contents) {
    if (!llvm::StringRef(error).starts_with(file + ":"))
      continue;
    unsigned line = 0;
    llvm::StringRef(error).substr(file.size() + 1).split(':').first.getAsInteger(10, line);
    for (const Probe &probe : plan.probes)
      if (probe.place.file == file && probe.edit_line == line) {
        failed.lines.try_emplace({file, line}, reason);
        return;
      }
    failed.files.try_emplace(file, reason);
    return;
  }
  failed.files.try_emplace(command.file, reason);
}

} // namespace

llvm::Expected<Rewrite> make_rewrite(const Plan &plan, const Request &request, const UnitStore &store) {
  Rewrite rewrite;
  llvm::Expected<std::map<std::string, std::string>> headers = runtime_headers(request);
  if (!headers)
    return headers.takeError();
  rewrite.headers = std::move(*headers);
  rewrite.edits = edits_of(plan);
  rewrite.fingerprint = fingerprint(plan, rewrite.edits, request.tree);

  std::map<std::string, std::string> originals;
  const std::string &root_unit = store.commands()[plan.root_command].file;
  std::set<std::string> files = {root_unit};
  for (const auto &[file, insertions] : rewrite.edits.files())
    files.insert(file);
  for (const std::string &file : files) {
    llvm::Expected<std::string> content = original_content(file, store);
    if (!content)
      return content.takeError();
    originals[file] = std::move(*content);
  }
  add_includes(rewrite.edits, originals, request.tree);
  // The plan's header carries the fingerprint in its name: the root's file changes with the plan, so that
  // even a build without dependency tracking builds it again.
  const std::string plan_file =
      fmt::format("{}/plan-{:016x}.h", include_folder(request.tree), rewrite.fingerprint);
  rewrite.headers[plan_file] = plan_header(rewrite.fingerprint, plan.root().id, mode_bits(plan.modes));
  rewrite.edits.add(root_unit, last_line_insertion(originals[root_unit], include_line(plan_file)));
  for (const auto &[file, insertions] : rewrite.edits.files())
    rewrite.contents[file] = with_insertions(originals[file], insertions);
  return rewrite;
}

Blocked verify(const Rewrite &rewrite, const Plan &plan, const UnitStore &store) {
  Overlay overlay = rewrite.contents;
  overlay.insert(rewrite.headers.begin(), rewrite.headers.end());
  for (const auto &[file, original] : store.originals())
    overlay.try_emplace(file, original);
  ParseOptions options = store.options();
  options.with_facts = false;
  std::vector<const CompileCommand *> commands;
  for (const std::size_t unit : units_to_verify(rewrite, plan, store))
    commands.push_back(&store.commands()[unit]);
  const std::vector<UnitFacts> results = parse_units(commands, overlay, options);

  Blocked failed;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].errors.empty())
      continue;
    const std::vector<UnitFacts> before = parse_units({commands[i]}, store.originals(), options);
    if (before.front().errors.size() >= results[i].errors.size())
      continue;
    blame(results[i].errors.front(), rewrite, plan, *commands[i], failed); // the others may follow from it
  }
  return failed;
}

} // namespace vprof::instrument
