#include "edit_set.h"

#include <algorithm>
#include <tuple>

namespace vprof::instrument {
namespace {

bool before(const Insertion &a, const Insertion &b) {
  return std::tie(a.offset, a.rank, a.text) < std::tie(b.offset, b.rank, b.text);
}

std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

void erase_all(std::string &text, std::string_view part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
}

} // namespace

void EditSet::add(const std::string &file, Insertion insertion) {
  std::vector<Insertion> &list = files_[file];
  const auto at = std::lower_bound(list.begin(), list.end(), insertion, before);
  // Ends of nested wraps look alike and may share an offset; they carry different ranks.
  if (at == list.end() || !(*at == insertion))
    list.insert(at, std::move(insertion));
}

std::vector<Insertion> EditSet::of(const std::string &file) const {
  const auto it = files_.find(file);
  return it == files_.end() ? std::vector<Insertion>() : it->second;
}

std::string with_insertions(std::string_view original, const std::vector<Insertion> &insertions) {
  std::string result;
  std::size_t done = 0;
  for (const Insertion &insertion : insertions) {
    result.append(original.substr(done, insertion.offset - done));
    result.append(insertion.text);
    done = insertion.offset;
  }
  result.append(original.substr(done));
  return result;
}

std::optional<std::string> take_out(std::string edited, const std::vector<Insertion> &insertions) {
  std::map<std::string, std::size_t> expected;
  for (const Insertion &insertion : insertions)
    ++expected[insertion.text];
  std::vector<std::pair<std::string, std::size_t>> texts(expected.begin(), expected.end());
  std::sort(texts.begin(), texts.end(),
            [](const auto &a, const auto &b) { // one that contains another goes first
              return a.first.size() != b.first.size() ? a.first.size() > b.first.size() : a.first < b.first;
            });
  for (const auto &[text, count] : texts) {
    if (occurrences(edited, text) != count)
      return std::nullopt;
    erase_all(edited, text);
  }
  return edited;
}

} // namespace vprof::instrument
