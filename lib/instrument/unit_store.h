// The units parsed so far and what they know, by function. Parsing is the expensive step, so units are parsed
// only when somebody asks for a function that they may define.
#pragma once

#include "object_index.h"
#include "unit_parser.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace vprof::instrument {

struct FunctionRef {
  std::size_t command = 0; // index of the unit it was found in
  const Function *function = nullptr;
};

class UnitStore {
public:
  UnitStore(const std::vector<CompileCommand> &commands, const ObjectIndex &objects, Overlay originals,
            ParseOptions options, std::function<void(const std::string &)> progress);

  // Parses those of `wanted` that were not parsed yet.
  void parse(const std::set<std::size_t> &wanted);

  // Commands that may define `symbol`, by the object files; empty if no object does.
  std::vector<std::size_t> definers(const std::string &symbol) const;
  // Commands whose main file mentions `identifier` followed by `(`.
  std::vector<std::size_t> mentions(const std::string &identifier);

  // Names followed by `(` anywhere in the main files: what a user may have meant.
  std::set<std::string> called_names();

  // All parsed functions with this USR, in command order.
  std::vector<FunctionRef> find(const std::string &usr) const;
  void for_each(const std::function<void(const FunctionRef &)> &visit) const;

  const UnitFacts *facts(std::size_t command) const;
  std::size_t parsed() const { return facts_.size(); }
  const std::vector<CompileCommand> &commands() const { return commands_; }
  const ObjectIndex &objects() const { return objects_; }
  const Overlay &originals() const { return originals_; }
  const ParseOptions &options() const { return options_; }

private:
  const std::string &source_text(const std::string &file);

  const std::vector<CompileCommand> &commands_;
  const ObjectIndex &objects_;
  Overlay originals_;
  ParseOptions options_;
  std::function<void(const std::string &)> progress_;
  std::map<std::size_t, UnitFacts> facts_;
  std::map<std::string, std::vector<FunctionRef>> by_usr_;
  std::map<std::string, std::string> texts_;
};

} // namespace vprof::instrument
