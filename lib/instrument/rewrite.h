// A plan's edits -> new file contents, parsed again before anything is written.
#pragma once

#include "plan.h"

#include <map>
#include <string>

namespace vprof::instrument {

struct Rewrite {
  EditSet edits;                               // with includes
  std::map<std::string, std::string> contents; // real path -> instrumented content
  std::map<std::string, std::string> headers;  // real path in .vprof/include -> content
  std::uint64_t fingerprint = 0;
};

llvm::Expected<Rewrite> make_rewrite(const Plan &plan, const Request &request, const UnitStore &store);

// What no longer parses: the probe's line if the compiler's first error stands on one, else the file. Looks
// at every unit whose main file is edited, and for edited headers at the units they were found in. A unit
// that had errors before is not held against the edit.
Blocked verify(const Rewrite &rewrite, const Plan &plan, const UnitStore &store);

} // namespace vprof::instrument
