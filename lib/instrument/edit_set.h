// Insertions into files: merged across units, ordered, applied, and found again. Pure; nothing is ever
// deleted or replaced.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vprof::instrument {

struct Insertion {
  unsigned offset = 0; // in the original content
  int rank = 0;        // order at one offset: lower first
  std::string text;
  friend bool operator==(const Insertion &, const Insertion &) = default;
};

class EditSet {
public:
  // An equal insertion (another unit saw the same header) is merged.
  void add(const std::string &file, Insertion insertion);
  // File -> insertions by offset, then rank, then text: independent of the order in which they were added.
  const std::map<std::string, std::vector<Insertion>> &files() const { return files_; }
  std::vector<Insertion> of(const std::string &file) const;
  void drop(const std::string &file) { files_.erase(file); }

private:
  std::map<std::string, std::vector<Insertion>> files_;
};

// Precondition: insertions sorted by offset, none beyond the end of `original`.
std::string with_insertions(std::string_view original, const std::vector<Insertion> &insertions);

// `edited` once held the insertions and was changed since by somebody else: without them. Empty if one of
// them is no longer there in full or stands there more often than it was put in: then nothing is certain.
std::optional<std::string> take_out(std::string edited, const std::vector<Insertion> &insertions);

} // namespace vprof::instrument
