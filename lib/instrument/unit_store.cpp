#include "unit_store.h"

#include "file_util.h"

#include <llvm/ADT/StringExtras.h>

namespace vprof::instrument {
namespace {

bool is_word(char c) {
  return llvm::isAlnum(c) || c == '_';
}

bool mentions_call(std::string_view text, std::string_view identifier) {
  for (std::size_t at = text.find(identifier); at != std::string_view::npos;
       at = text.find(identifier, at + 1)) {
    if (at > 0 && is_word(text[at - 1]))
      continue;
    std::size_t next = at + identifier.size();
    while (next < text.size() && llvm::isSpace(text[next]))
      ++next;
    if (next < text.size() && text[next] == '(')
      return true;
  }
  return false;
}

} // namespace

UnitStore::UnitStore(const std::vector<CompileCommand> &commands, const ObjectIndex &objects,
                     Overlay originals, ParseOptions options,
                     std::function<void(const std::string &)> progress)
    : commands_(commands), objects_(objects), originals_(std::move(originals)), options_(std::move(options)),
      progress_(std::move(progress)) {}

void UnitStore::parse(const std::set<std::size_t> &wanted) {
  std::vector<std::size_t> fresh;
  std::vector<const CompileCommand *> to_parse;
  for (const std::size_t command : wanted)
    if (!facts_.contains(command)) {
      fresh.push_back(command);
      to_parse.push_back(&commands_[command]);
    }
  if (fresh.empty())
    return;
  if (progress_)
    progress_(fmt::format("parsing {} unit{}", fresh.size(), fresh.size() == 1 ? "" : "s"));
  std::vector<UnitFacts> results = parse_units(to_parse, originals_, options_);
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    const UnitFacts &facts = facts_.emplace(fresh[i], std::move(results[i])).first->second;
    for (const Function &function : facts.functions)
      by_usr_[function.usr].push_back({fresh[i], &function});
  }
}

std::vector<std::size_t> UnitStore::definers(const std::string &symbol) const {
  const auto it = objects_.definers.find(symbol);
  return it == objects_.definers.end() ? std::vector<std::size_t>() : it->second;
}

const std::string &UnitStore::source_text(const std::string &file) {
  if (const auto original = originals_.find(file); original != originals_.end())
    return original->second;
  const auto [it, inserted] = texts_.try_emplace(file);
  if (inserted) {
    if (llvm::Expected<std::string> text = read_file(file))
      it->second = std::move(*text);
    else
      llvm::consumeError(text.takeError());
  }
  return it->second;
}

std::vector<std::size_t> UnitStore::mentions(const std::string &identifier) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < commands_.size(); ++i)
    if (mentions_call(source_text(commands_[i].file), identifier))
      found.push_back(i);
  return found;
}

std::set<std::string> UnitStore::called_names() {
  std::set<std::string> names;
  for (const CompileCommand &command : commands_) {
    const std::string &text = source_text(command.file);
    for (std::size_t paren = text.find('('); paren != std::string::npos; paren = text.find('(', paren + 1)) {
      std::size_t end = paren;
      while (end > 0 && text[end - 1] == ' ')
        --end;
      std::size_t begin = end;
      while (begin > 0 && is_word(text[begin - 1]))
        --begin;
      if (begin < end)
        names.insert(text.substr(begin, end - begin));
    }
  }
  return names;
}

std::vector<FunctionRef> UnitStore::find(const std::string &usr) const {
  const auto it = by_usr_.find(usr);
  return it == by_usr_.end() ? std::vector<FunctionRef>() : it->second;
}

void UnitStore::for_each(const std::function<void(const FunctionRef &)> &visit) const {
  for (const auto &[command, facts] : facts_)
    for (const Function &function : facts.functions)
      visit({command, &function});
}

const UnitFacts *UnitStore::facts(std::size_t command) const {
  const auto it = facts_.find(command);
  return it == facts_.end() ? nullptr : &it->second;
}

} // namespace vprof::instrument
