#include <vprof/instrument/instrumenter.h>

#include "file_util.h"
#include "journal.h"

#include <llvm/Support/FileSystem.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace vprof::instrument {
namespace {

enum class State { original, instrumented, edited, missing };

State state_of(const std::string &file, const JournalEntry &entry, std::string &content) {
  llvm::Expected<std::string> present = read_file(file);
  if (!present) {
    llvm::consumeError(present.takeError());
    return State::missing;
  }
  content = std::move(*present);
  const std::string hash = sha256(content);
  if (hash == entry.original)
    return State::original;
  return std::find(entry.instrumented.begin(), entry.instrumented.end(), hash) != entry.instrumented.end()
             ? State::instrumented
             : State::edited;
}

// Removes what instrument made; runs/ (traces and reports) is the user's and stays.
llvm::Error forget(Journal &journal, const std::string &tree) {
  if (std::error_code error = llvm::sys::fs::remove_directories(tree + "/.vprof/include"))
    return bad_input("{}/.vprof/include: cannot be removed: {}", tree, error.message());
  if (std::error_code error = llvm::sys::fs::remove(tree + "/.vprof/manifest.json"))
    return bad_input("{}/.vprof/manifest.json: cannot be removed: {}", tree, error.message());
  if (llvm::Error error = journal.clear())
    return error;
  llvm::sys::fs::remove(tree + "/.vprof"); // only if nothing is left in it
  return llvm::Error::success();
}

// Error: what the file needs by hand.
llvm::Error restore_file(const std::string &path, const JournalEntry &entry, const Journal &journal,
                         const std::string &tree, Restored &restored) {
  const std::string file = tree + "/" + path;
  std::string content;
  switch (state_of(file, entry, content)) {
  case State::original:
    return llvm::Error::success();
  case State::missing:
    return llvm::Error::success(); // deleted by the user: so be it
  case State::instrumented: {
    llvm::Expected<std::string> original = journal.saved_original(entry);
    if (!original)
      return original.takeError();
    restored.files.push_back(path);
    return write_file(file, *original);
  }
  case State::edited: {
    const std::optional<std::string> kept = take_out(content, entry.insertions);
    if (!kept)
      return bad_input(
          "{}: edited since, and a probe was removed, changed or copied: take out what begins with VPROF_ "
          "and the vprof #include by hand; the original is .vprof/journal/{}",
          path, entry.original);
    restored.edited.push_back(path);
    return write_file(file, *kept);
  }
  }
  return llvm::Error::success();
}

} // namespace

llvm::Expected<Restored> restore(const std::string &given) {
  const std::string tree = real_path(given);
  if (tree.empty())
    return bad_input("{}: no such folder", given);
  llvm::Expected<Journal> journal = Journal::load(tree);
  if (!journal)
    return journal.takeError();
  if (journal->empty())
    return bad_input(
        "{}: nothing to restore: no journal in .vprof: run vprof in the root of the instrumented tree", tree);
  Restored restored;
  llvm::Error errors = llvm::Error::success();
  for (const auto &[path, entry] : journal->entries())
    errors = llvm::joinErrors(std::move(errors), restore_file(path, entry, *journal, tree, restored));
  if (errors)
    return errors;
  if (llvm::Error error = forget(*journal, tree))
    return error;
  return restored;
}

llvm::Expected<Status> status(const std::string &given) {
  const std::string tree = real_path(given);
  if (tree.empty())
    return bad_input("{}: no such folder", given);
  llvm::Expected<Journal> journal = Journal::load(tree);
  if (!journal)
    return journal.takeError();
  Status status;
  status.instrumented = !journal->empty();
  for (const auto &[path, entry] : journal->entries()) {
    std::string content;
    switch (state_of(tree + "/" + path, entry, content)) {
    case State::original:
      break;
    case State::instrumented:
      status.files.push_back(path);
      break;
    case State::edited:
      status.edited.push_back(path);
      break;
    case State::missing:
      status.missing.push_back(path);
      break;
    }
  }
  llvm::Expected<std::string> manifest = read_file(tree + "/.vprof/manifest.json");
  if (!manifest) {
    llvm::consumeError(manifest.takeError());
    return status;
  }
  try {
    const nlohmann::json json = nlohmann::json::parse(*manifest);
    status.root = json.at("root").at("label").get<std::string>();
    status.plan = json.at("plan").get<std::string>();
    status.probes = json.at("probes").size();
    status.unmeasured = json.at("unmeasured").size();
  } catch (const nlohmann::json::exception &error) {
    return bad_input("{}/.vprof/manifest.json: damaged: {}: run `vprof instrument` again", tree,
                     error.what());
  }
  return status;
}

} // namespace vprof::instrument
