#include "journal.h"

#include "file_util.h"

#include <llvm/Support/FileSystem.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace vprof::instrument {
namespace {

constexpr const char *schema = "vprof.journal/1";

nlohmann::json to_json(const std::string &path, const JournalEntry &entry) {
  nlohmann::json insertions = nlohmann::json::array();
  for (const Insertion &insertion : entry.insertions)
    insertions.push_back({{"offset", insertion.offset}, {"rank", insertion.rank}, {"text", insertion.text}});
  return {{"path", path},
          {"original", entry.original},
          {"instrumented", entry.instrumented},
          {"insertions", std::move(insertions)}};
}

JournalEntry entry_from_json(const nlohmann::json &json) {
  JournalEntry entry;
  entry.original = json.at("original").get<std::string>();
  entry.instrumented = json.at("instrumented").get<std::vector<std::string>>();
  for (const nlohmann::json &insertion : json.at("insertions"))
    entry.insertions.push_back({insertion.at("offset").get<unsigned>(), insertion.at("rank").get<int>(),
                                insertion.at("text").get<std::string>()});
  return entry;
}

} // namespace

llvm::Expected<Journal> Journal::load(const std::string &tree) {
  Journal journal(tree);
  const std::string file = journal.folder() + "/journal.json";
  if (!llvm::sys::fs::exists(file))
    return journal;
  llvm::Expected<std::string> text = read_file(file);
  if (!text)
    return text.takeError();
  try {
    const nlohmann::json json = nlohmann::json::parse(*text);
    if (json.at("schema") != schema)
      return bad_input("{}: its schema is {}, not {}: it was written by another vprof; restore with that one",
                       file, json.at("schema").dump(), schema);
    for (const nlohmann::json &entry : json.at("files"))
      journal.entries_.emplace(entry.at("path").get<std::string>(), entry_from_json(entry));
  } catch (const nlohmann::json::exception &error) {
    return bad_input("{}: damaged: {}; the originals are beside it under their sha256", file, error.what());
  }
  return journal;
}

llvm::Expected<std::string> Journal::saved_original(const JournalEntry &entry) const {
  llvm::Expected<std::string> saved = read_file(folder() + "/" + entry.original);
  if (saved && sha256(*saved) != entry.original)
    return bad_input("{}/{}: saved original is damaged: its sha256 differs from its name", folder(),
                     entry.original);
  return saved;
}

llvm::Expected<std::string> Journal::original_of(const std::string &path) const {
  llvm::Expected<std::string> present = read_file(tree_ + "/" + path);
  const auto it = entries_.find(path);
  if (!present || it == entries_.end())
    return present;
  const std::string hash = sha256(*present);
  if (hash == it->second.original)
    return present;
  const std::vector<std::string> &known = it->second.instrumented;
  if (std::find(known.begin(), known.end(), hash) == known.end())
    return bad_input("{}: changed since it was instrumented: run `vprof restore` first (your change is kept)",
                     path);
  return saved_original(it->second);
}

llvm::Error Journal::note(const std::string &path, const std::string &original,
                          const std::string &instrumented, std::vector<Insertion> insertions) {
  if (std::error_code error = llvm::sys::fs::create_directories(folder()))
    return bad_input("{}: cannot be made: {}", folder(), error.message());
  JournalEntry &entry = entries_[path];
  entry.original = sha256(original);
  const std::string blob = folder() + "/" + entry.original;
  if (!llvm::sys::fs::exists(blob))
    if (llvm::Error error = write_file(blob, original))
      return error;
  const std::string hash = sha256(instrumented);
  if (std::find(entry.instrumented.begin(), entry.instrumented.end(), hash) == entry.instrumented.end())
    entry.instrumented.push_back(hash);
  entry.insertions = std::move(insertions);
  return llvm::Error::success();
}

llvm::Error Journal::save() const {
  nlohmann::json files = nlohmann::json::array();
  for (const auto &[path, entry] : entries_)
    files.push_back(to_json(path, entry));
  const nlohmann::json json = {{"schema", schema}, {"files", std::move(files)}};
  return write_file(folder() + "/journal.json", json.dump(1) + "\n");
}

llvm::Error Journal::clear() {
  entries_.clear();
  if (std::error_code error = llvm::sys::fs::remove_directories(folder()))
    return bad_input("{}: cannot be removed: {}", folder(), error.message());
  return llvm::Error::success();
}

} // namespace vprof::instrument
