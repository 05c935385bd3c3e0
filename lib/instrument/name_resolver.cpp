#include "name_resolver.h"

#include "file_util.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Demangle/Demangle.h>

#include <algorithm>
#include <map>

namespace vprof::instrument {
namespace {

struct Spec {
  std::string_view file; // empty: any
  std::string_view name;
};

Spec split(std::string_view spec) {
  for (std::size_t at = spec.find(':'); at != std::string_view::npos; at = spec.find(':', at + 1)) {
    if (spec.substr(at, 2) != "::")
      return {spec.substr(0, at), spec.substr(at + 1)};
    ++at;
  }
  return {{}, spec};
}

std::string_view last_component(std::string_view name) {
  const std::size_t at = name.rfind("::");
  return at == std::string_view::npos ? name : name.substr(at + 2);
}

bool ends_in_component(std::string_view text, std::string_view end, std::string_view separator) {
  if (!text.ends_with(end))
    return false;
  text.remove_suffix(end.size());
  return text.empty() || text.ends_with(separator);
}

// foo(int) const -> foo; a symbol that is not mangled is its own name.
std::string base_name(const std::string &symbol) {
  if (!symbol.starts_with("_Z"))
    return symbol;
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(symbol.c_str()))
    return symbol;
  std::size_t size = 0;
  char *name = demangler.getFunctionBaseName(nullptr, &size);
  std::string base = name ? name : symbol;
  std::free(name);
  return base;
}

std::set<std::size_t> candidates(UnitStore &store, std::string_view identifier) {
  std::set<std::size_t> commands;
  for (const auto &[symbol, definers] : store.objects().definers)
    if (symbol.find(identifier) != std::string::npos && base_name(symbol) == identifier)
      commands.insert(definers.begin(), definers.end());
  return commands;
}

// One per place, whatever the number of units that contain it.
std::vector<FunctionRef> matching(const UnitStore &store, std::string_view spec) {
  std::map<std::pair<std::string, unsigned>, FunctionRef> found;
  bool exact = false; // the whole qualified name: `run` means ::run where there is one, else any class's run
  store.for_each([&](const FunctionRef &ref) {
    if (!matches(*ref.function, spec))
      return;
    found.try_emplace({ref.function->start.file, ref.function->start.offset}, ref);
    exact |= ref.function->name == split(spec).name;
  });
  std::vector<FunctionRef> list;
  for (const auto &[place, ref] : found)
    if (!exact || ref.function->name == split(spec).name)
      list.push_back(ref);
  return list;
}

std::vector<std::string> near_names(UnitStore &store, std::string_view identifier) {
  std::map<std::pair<unsigned, std::string>, bool> by_distance;
  const unsigned bound = std::max<unsigned>(2, static_cast<unsigned>(identifier.size() / 3));
  const auto consider = [&](const std::string &name) {
    const unsigned distance =
        llvm::StringRef(name).edit_distance(llvm::StringRef(identifier), /*AllowReplacements=*/true, bound);
    const bool contains = identifier.size() >= 4 && name.find(identifier) != std::string::npos;
    if (distance <= bound || contains)
      by_distance[{std::min(distance, bound), name}] = true;
  };
  for (const auto &[symbol, definers] : store.objects().definers)
    consider(base_name(symbol));
  if (store.objects().definers.empty()) // not built yet
    for (const std::string &name : store.called_names())
      consider(name);
  store.for_each([&](const FunctionRef &ref) { consider(std::string(last_component(ref.function->name))); });
  std::vector<std::string> names;
  for (const auto &[key, unused] : by_distance)
    if (names.size() < 4)
      names.push_back(key.second);
  return names;
}

std::string joined(const std::vector<std::string> &parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

llvm::Error not_found(UnitStore &store, const std::string &spec, std::string_view what) {
  const std::vector<std::string> near = near_names(store, last_component(split(spec).name));
  if (near.empty())
    return bad_input("{} {} not found: no unit of the compile database defines it", what, spec);
  return bad_input("{} {} not found: did you mean {}?", what, spec, joined(near, ", "));
}

llvm::Error ambiguous(const UnitStore &store, const std::vector<FunctionRef> &found, const std::string &spec,
                      std::string_view what) {
  std::vector<std::string> places;
  for (const FunctionRef &ref : found)
    places.push_back(fmt::format("{} ({}:{})", ref.function->name,
                                 relative_to(ref.function->start.file, store.options().tree),
                                 ref.function->start.line));
  return bad_input("{} {} is ambiguous: {}: give a qualified name or FILE:NAME", what, spec,
                   joined(places, ", "));
}

} // namespace

bool matches(const Function &function, std::string_view spec) {
  const Spec parts = split(spec);
  return ends_in_component(function.name, parts.name, "::") &&
         (parts.file.empty() || ends_in_component(function.start.file, parts.file, "/"));
}

llvm::Expected<FunctionRef> resolve(UnitStore &store, const std::string &spec, std::string_view what) {
  const std::string identifier(last_component(split(spec).name));
  std::vector<FunctionRef> found = matching(store, spec);
  store.parse(candidates(store, identifier));
  found = matching(store, spec);
  if (found.empty()) { // never built, or inlined away
    const std::vector<std::size_t> mentions = store.mentions(identifier);
    store.parse({mentions.begin(), mentions.end()});
    found = matching(store, spec);
  }
  if (found.empty())
    return not_found(store, spec, what);
  if (found.size() > 1)
    return ambiguous(store, found, spec, what);
  if (const UnitFacts *facts = store.facts(found.front().command); !facts->errors.empty())
    return bad_input("{} {}: clang cannot parse its unit: {}", what, spec, facts->errors.front());
  return found.front();
}

} // namespace vprof::instrument
