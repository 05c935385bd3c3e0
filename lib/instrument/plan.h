// The plan: what is probed and wrapped where, and what is not and why. Made from facts alone; the manifest is
// printed from it and the edits are worded from it.
#pragma once

#include "edit_set.h"
#include "unit_store.h"

#include <vprof/instrument/instrumenter.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace vprof::instrument {

enum class ProbeKind { root, function, call, wait, idle, unit_begin, unit_end };
const char *name_of(ProbeKind kind);

struct Probe {
  std::uint32_t id = 0;
  ProbeKind kind = ProbeKind::function;
  std::string function;          // qualified name; of a wrapped call: the callee
  std::string caller;            // of a wrapped call: the function that holds it
  Place place;                   // of a function: its name; of a call: where it begins
  unsigned edit_line = 0;        // where the text goes
  unsigned offset = 0;           // where the text goes
  unsigned end_offset = 0;       // wraps: one past the call; a loop without braces: one past its body
  bool braces = false;           // a loop's body that must be put in braces
  std::string condition;         // unit_end
  std::vector<Landing> landings; // calls of setjmp in the probe's scope
  bool expanded = false;         // its children were asked for
  bool complete = false;         // .. and all of them are measured
  int height = -1;               // static call graph; -1: unknown
};

struct Unmeasured {
  std::string caller;
  std::string callee;
  Place place;
  std::string reason;
};

struct Plan {
  std::vector<Probe> probes; // sorted by file, offset, kind
  std::vector<Unmeasured> unmeasured;
  std::string root_label;
  std::size_t root_command = 0;   // the unit that receives the runtime
  std::vector<std::string> modes; // "idle", "loop", "units", "unit_begin"
  int graph_height = 0;           // the root's

  const Probe &root() const;
};

// Where verification failed: no edit on these lines, or, where the line is not one of ours, in the whole
// file.
struct Blocked {
  std::map<std::pair<std::string, unsigned>, std::string> lines; // (real path, line) -> reason
  std::map<std::string, std::string> files;                      // real path -> reason

  // Empty if an edit on this line is allowed.
  std::string reason(const std::string &file, unsigned line) const;
  std::size_t size() const { return lines.size() + files.size(); }
  void merge(const Blocked &other);
};

// What is blocked is unmeasured for the reason given.
llvm::Expected<Plan> make_plan(const Request &request, UnitStore &store, const Blocked &blocked);

// The words of a plan, includes of the probe header not yet among them.
EditSet edits_of(const Plan &plan);

// A fingerprint of everything the plan puts into the tree.
std::uint64_t fingerprint(const Plan &plan, const EditSet &edits, const std::string &tree);

} // namespace vprof::instrument
