// What restore trusts. .vprof/journal/ holds the original bytes of every file that was ever changed, under
// their hash, and journal.json, which names them. The journal is on disk before the first file is changed,
// and each file changes by one rename; so at any moment every file is an original, one of the known
// instrumented versions, or edited by the user.
#pragma once

#include "edit_set.h"

#include <llvm/Support/Error.h>

#include <map>
#include <string>
#include <vector>

namespace vprof::instrument {

struct JournalEntry {
  std::string original;                  // sha256 of the original content
  std::vector<std::string> instrumented; // sha256 of versions that vprof wrote or was about to write
  std::vector<Insertion> insertions;     // of the newest version
};

class Journal {
public:
  // An absent journal is an empty one. Error: unreadable or of another format.
  static llvm::Expected<Journal> load(const std::string &tree);

  bool empty() const { return entries_.empty(); }
  const std::map<std::string, JournalEntry> &entries() const {
    return entries_;
  } // by path relative to the tree

  // What `path` held before vprof changed it: the saved original if the file is one of the instrumented
  // versions, its present content if it is not in the journal or is the original. Error: edited since by the
  // user.
  llvm::Expected<std::string> original_of(const std::string &path) const;
  llvm::Expected<std::string> saved_original(const JournalEntry &entry) const;

  // Notes that `path` is about to become `instrumented`, and saves `original`.
  llvm::Error note(const std::string &path, const std::string &original, const std::string &instrumented,
                   std::vector<Insertion> insertions);
  // Puts the journal on disk. Nothing may be changed in the tree before.
  llvm::Error save() const;
  // Forgets everything and removes .vprof/journal.
  llvm::Error clear();

private:
  explicit Journal(std::string tree) : tree_(std::move(tree)) {}
  std::string folder() const { return tree_ + "/.vprof/journal"; }

  std::string tree_;
  std::map<std::string, JournalEntry> entries_;
};

} // namespace vprof::instrument
