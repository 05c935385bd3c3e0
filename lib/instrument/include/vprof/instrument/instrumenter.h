// What the library promises: plan probes for a root function and the children of chosen functions, put them
// into the user's files without changing a line number, and take them out again byte for byte.
#pragma once

#include <llvm/Support/Error.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace vprof::instrument {

// A unit-end function, with an optional condition that is evaluated at its entry in its own scope.
struct UnitEnd {
  std::string function;
  std::string condition; // empty: always
};

struct Request {
  std::string tree;              // root of the profiled source tree; holds .vprof/
  std::string build_dir;         // holds compile_commands.json; empty: looked for in the tree
  std::string root;              // NAME, QUALIFIED::NAME or file.cc:NAME
  unsigned loop_line = 0;        // the loop in the root that begins on this line; 0: the whole function
  std::string loop_label;        // how the loop's interval is named; empty: root function and line
  std::vector<std::string> idle; // idle functions, for a root that never returns
  std::vector<std::string> unit_begin;
  std::vector<UnitEnd> unit_end;
  std::vector<std::string> functions; // further functions whose children are measured
  bool all = false;                   // probe every function below all_paths instead
  std::vector<std::string> all_paths; // files or folders; empty: the whole tree
  unsigned jobs = 0;                  // parallel parses; 0: one per processor
  std::string runtime_dir;  // folder with vprof/probe.h, vprof/runtime.h ..: copied into .vprof/include
  std::string resource_dir; // Clang's own headers
  std::function<void(const std::string &)> progress; // one line of what is being done; may be empty
};

struct Refusal {
  std::string function;
  std::string file;
  unsigned line = 0;
  std::string reason;
};

struct Outcome {
  std::string plan;                 // fingerprint, "0x" and 16 hex digits
  std::size_t functions_probed = 0; // body probes, the root's included
  std::size_t calls_wrapped = 0;
  std::vector<std::string> files_changed; // relative to the tree, those whose bytes changed just now
  std::vector<std::string> files_probed;  // all that hold probes
  std::size_t units_parsed = 0;
  std::vector<Refusal> refused; // children that cannot be measured, each with its reason
};

// Plans, verifies and writes. On error nothing in the tree has changed. Running it again with another request
// leads to the same files as running it once on the original tree.
llvm::Expected<Outcome> instrument(const Request &request);

struct Restored {
  std::vector<std::string> files;  // given back byte for byte
  std::vector<std::string> edited; // edited by the user meanwhile: our insertions taken out, the edit kept
};

// Takes everything out again that the journal in `tree`/.vprof names; works after a crash at any point.
// Error: no journal, or an edited file from which the insertions cannot be removed exactly (it is left alone,
// named).
llvm::Expected<Restored> restore(const std::string &tree);

struct Status {
  bool instrumented = false;
  std::string root;
  std::string plan;
  std::size_t probes = 0;
  std::size_t unmeasured = 0;
  std::vector<std::string> files;   // hold probes, unchanged since
  std::vector<std::string> edited;  // hold probes, edited by the user since
  std::vector<std::string> missing; // named by the journal, no longer there
};

// Reads only. A tree without .vprof is not an error: `instrumented` is false.
llvm::Expected<Status> status(const std::string &tree);

} // namespace vprof::instrument
