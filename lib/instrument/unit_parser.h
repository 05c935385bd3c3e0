// Parses translation units, several at once, from disk or with other contents in place of some files.
#pragma once

#include "compile_db.h"
#include "facts.h"

#include <map>
#include <string>
#include <vector>

namespace vprof::instrument {

// Real path -> content that a parse sees instead of what is on disk.
using Overlay = std::map<std::string, std::string>;

struct ParseOptions {
  std::string tree;
  std::string resource_dir; // Clang's builtin headers
  unsigned jobs = 0;        // 0: one per processor
  bool with_facts = true;   // false: only errors (verification)
};

// One result per command, in the same order, whatever the number of jobs. A unit with errors has `errors`,
// and facts as far as Clang recovered.
std::vector<UnitFacts> parse_units(const std::vector<const CompileCommand *> &commands,
                                   const Overlay &overlay, const ParseOptions &options);

} // namespace vprof::instrument
