// Find, decide, word, verify, and only then write. Whatever fails before the journal is saved leaves the tree
// untouched; whatever fails after it, restore undoes.
#include <vprof/instrument/instrumenter.h>

#include "file_util.h"
#include "journal.h"
#include "manifest.h"
#include "rewrite.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <unistd.h>

#include <algorithm>

namespace vprof::instrument {
namespace {

void tell(const Request &request, const std::string &line) {
  if (request.progress)
    request.progress(line);
}

llvm::Expected<Overlay> originals_of(const Journal &journal, const std::string &tree) {
  Overlay originals;
  for (const auto &[path, entry] : journal.entries()) {
    llvm::Expected<std::string> original = journal.original_of(path);
    if (!original)
      return original.takeError();
    originals[fmt::format("{}/{}", tree, path)] = std::move(*original);
  }
  return originals;
}

struct Verified {
  Plan plan;
  Rewrite rewrite;
};

// Files that do not survive verification are left out and the plan is made again; the root's unit must
// survive.
llvm::Expected<Verified> plan_and_verify(const Request &request, UnitStore &store) {
  Blocked blocked;
  for (;;) {
    llvm::Expected<Plan> plan = make_plan(request, store, blocked);
    if (!plan)
      return plan.takeError();
    llvm::Expected<Rewrite> rewrite = make_rewrite(*plan, request, store);
    if (!rewrite)
      return rewrite.takeError();
    tell(request, fmt::format("verifying {} files", rewrite->contents.size()));
    const Blocked failed = verify(*rewrite, *plan, store);
    if (failed.size() == 0)
      return Verified{std::move(*plan), std::move(*rewrite)};
    const std::size_t before = blocked.size();
    blocked.merge(failed);
    const std::string &reason =
        failed.lines.empty() ? failed.files.begin()->second : failed.lines.begin()->second;
    if (blocked.size() == before)
      return bad_input("{}: cannot be instrumented: {}", request.tree, reason);
    const Probe &root = plan->root();
    if (std::string refused = blocked.reason(root.place.file, root.edit_line); !refused.empty())
      return bad_input("root function {} {}", request.root, refused);
  }
}

llvm::Error check_writable(const std::vector<std::string> &files) {
  for (const std::string &file : files) {
    const std::string folder = llvm::sys::path::parent_path(file).str();
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
      return bad_input("{}: its folder is read-only: make it writable, or work on a copy of the tree", file);
  }
  return llvm::Error::success();
}

// What has to be written: new or other contents, and originals of files that are no longer in the plan.
llvm::Expected<std::map<std::string, std::string>> pending_writes(const Rewrite &rewrite,
                                                                  const UnitStore &store) {
  std::map<std::string, std::string> wanted = rewrite.contents;
  for (const auto &[file, original] : store.originals())
    wanted.try_emplace(file, original);
  std::map<std::string, std::string> pending;
  for (auto &[file, content] : wanted) {
    llvm::Expected<std::string> present = read_file(file);
    if (!present)
      return present.takeError();
    if (*present != content)
      pending[file] = std::move(content);
  }
  return pending;
}

llvm::Error write_headers(const Rewrite &rewrite, const std::string &tree) {
  const std::string folder = tree + "/.vprof/include/vprof/runtime";
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return bad_input("{}: cannot be made: {}", folder, error.message());
  for (const auto &[file, content] : rewrite.headers) {
    if (std::error_code error = llvm::sys::fs::create_directories(llvm::sys::path::parent_path(file)))
      return bad_input("{}: cannot be made: {}", file, error.message());
    llvm::Expected<std::string> present = read_file(file);
    if (present && *present == content)
      continue; // an unchanged header is not a reason to rebuild
    if (!present)
      llvm::consumeError(present.takeError());
    if (llvm::Error error = write_file(file, content))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error write_all(const Verified &verified, const std::map<std::string, std::string> &pending,
                      Journal &journal, const UnitStore &store, const std::string &tree) {
  if (llvm::Error error = write_headers(verified.rewrite, tree))
    return error;
  for (const auto &[file, content] : pending) {
    const auto original = store.originals().find(file);
    llvm::Expected<std::string> before =
        original != store.originals().end() ? llvm::Expected<std::string>(original->second) : read_file(file);
    if (!before)
      return before.takeError();
    if (llvm::Error error =
            journal.note(relative_to(file, tree), *before, content, verified.rewrite.edits.of(file)))
      return error;
  }
  if (llvm::Error error = journal.save())
    return error;
  for (const auto &[file, content] : pending)
    if (llvm::Error error = write_file(file, content))
      return error;
  return write_file(tree + "/.vprof/manifest.json",
                    manifest_text(verified.plan, verified.rewrite.fingerprint, tree));
}

Outcome outcome_of(const Verified &verified, const std::map<std::string, std::string> &pending,
                   const UnitStore &store, const std::string &tree) {
  Outcome outcome;
  outcome.plan = plan_text(verified.rewrite.fingerprint);
  for (const Probe &probe : verified.plan.probes) {
    outcome.functions_probed += probe.kind == ProbeKind::root || probe.kind == ProbeKind::function;
    outcome.calls_wrapped += probe.kind == ProbeKind::call || probe.kind == ProbeKind::wait;
  }
  for (const auto &[file, content] : pending)
    outcome.files_changed.push_back(relative_to(file, tree));
  for (const auto &[file, content] : verified.rewrite.contents)
    outcome.files_probed.push_back(relative_to(file, tree));
  outcome.units_parsed = store.parsed();
  for (const Unmeasured &unmeasured : verified.plan.unmeasured)
    outcome.refused.push_back({unmeasured.callee, relative_to(unmeasured.place.file, tree),
                               unmeasured.place.line, unmeasured.reason});
  return outcome;
}

} // namespace

llvm::Expected<Outcome> instrument(const Request &given) {
  Request request = given;
  request.tree = real_path(given.tree);
  if (request.tree.empty())
    return bad_input("{}: no such folder: run vprof in the root of the source tree", given.tree);
  llvm::Expected<Journal> journal = Journal::load(request.tree);
  if (!journal)
    return journal.takeError();
  llvm::Expected<std::vector<CompileCommand>> commands = load_compile_db(request.tree, request.build_dir);
  if (!commands)
    return commands.takeError();
  llvm::Expected<Overlay> originals = originals_of(*journal, request.tree);
  if (!originals)
    return originals.takeError();

  const ObjectIndex objects = index_objects(*commands, request.jobs);
  tell(request,
       fmt::format("{} units in the compile database, {} built", commands->size(), objects.objects_read));
  UnitStore store(*commands, objects, std::move(*originals),
                  {request.tree, request.resource_dir, request.jobs, /*with_facts=*/true}, request.progress);
  llvm::Expected<Verified> verified = plan_and_verify(request, store);
  if (!verified)
    return verified.takeError();

  llvm::Expected<std::map<std::string, std::string>> pending = pending_writes(verified->rewrite, store);
  if (!pending)
    return pending.takeError();
  std::vector<std::string> to_write = {request.tree + "/.vprof"};
  for (const auto &[file, content] : *pending)
    to_write.push_back(file);
  if (llvm::Error error = check_writable(to_write))
    return error;
  if (llvm::Error error = write_all(*verified, *pending, *journal, store, request.tree))
    return error;
  return outcome_of(*verified, *pending, store, request.tree);
}

} // namespace vprof::instrument
