// What the analyzer needs to know from the instrumenter's manifest.json (schema "vprof.manifest/1"): a
// subset.
#ifndef VPROF_VTREE_MANIFEST_VIEW_H
#define VPROF_VTREE_MANIFEST_VIEW_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace vprof::vtree {

enum class ProbeKind { root, function, call, wait, idle, unit_begin, unit_end };

/// One probe of the plan. For `call` and `wait`, `function` is the callee without a body, `caller` the
/// function that holds the wrapped call, and file:line the call's.
struct Probe {
  std::uint32_t id = 0;
  ProbeKind kind = ProbeKind::function;
  std::string function; // qualified
  std::string file;     // relative to Manifest::tree
  unsigned line = 0;
  bool expanded = false; // its children were asked to be measured
  bool complete = false; // expanded, and all children are measured: the remainder is a body, not a rest
  int height = -1;       // longest path below it in the static call graph; -1 unknown
  std::string caller;

  [[nodiscard]] bool is_external() const { return kind == ProbeKind::call || kind == ProbeKind::wait; }
};

/// A call below an expanded function that could not be measured, and why.
struct UnmeasuredCall {
  std::string caller;
  std::string callee;
  std::string file;
  unsigned line = 0;
  std::string reason;
};

struct RootInfo {
  std::uint32_t id = 0;
  std::string function;
  std::string file;
  unsigned line = 0;
  std::vector<std::string> mode; // of "idle", "loop", "units", "unit_begin"
  std::string label;             // shown instead of the function if not empty, for example "@MARK" for a loop

  [[nodiscard]] const std::string &shown_name() const { return label.empty() ? function : label; }
};

struct Manifest {
  std::uint64_t plan = 0; // fingerprint, equals vprof_file_header.plan of every trace of this build
  std::string tree;       // absolute path of the source tree
  RootInfo root;
  std::vector<UnmeasuredCall> unmeasured;
  int call_graph_height = -1; // the root's height; -1 unknown

  /// The probe with this id, or null.
  [[nodiscard]] const Probe *find(std::uint32_t id) const;
  void add(Probe probe);
  [[nodiscard]] const std::vector<Probe> &probes() const { return probes_; }

private:
  std::vector<Probe> probes_;
  std::unordered_map<std::uint32_t, std::size_t> by_id_;
};

/// Parses manifest text. `name` is what errors call the file. Errors: not JSON, another schema, a missing
/// field or one of the wrong type, a repeated probe id, a root without a probe.
llvm::Expected<Manifest> parse_manifest(llvm::StringRef text, llvm::StringRef name);

llvm::Expected<Manifest> read_manifest(const std::string &path);

} // namespace vprof::vtree

#endif
