// The calling contexts of a run: the per-thread nodes of all traces merged into one tree.
#ifndef VPROF_VTREE_CONTEXT_TREE_H
#define VPROF_VTREE_CONTEXT_TREE_H

#include "vprof/vtree/run.h"
#include "vprof/vtree/statistics.h"
#include "vprof/vtree/symbolizer.h"

#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace vprof::vtree {

struct ContextNode {
  std::uint32_t parent = no_column; // index of the parent, less than this node's; no_column for the root
  const Probe *probe = nullptr;
  std::optional<SourceLocation> call_site; // none for the root, and where call sites are merged
  unsigned depth = 0;
  bool has_folded = false; // contexts below it were too deep to keep
};

/// What a thread's node number stands for.
struct ContextRef {
  std::uint32_t context = 0;
  bool folded = false; // deeper than the limit: part of `context`, only its calls cost anything
};

struct ContextOptions {
  bool separate_call_sites = true;
  unsigned max_depth = 256; // keeps a recursion of 100,000 from becoming a tree of that height
};

/// Node 0 is the root. Two thread nodes are one context if parents, functions and (if kept apart) call sites
/// agree. Root nodes are all one, wherever the root was called from.
class ContextTree {
public:
  ContextTree(const Manifest &manifest, ContextOptions options);

  /// The context of a new thread node. `modules` are those of its process. None if the manifest has no such
  /// probe.
  std::optional<ContextRef> add(const NodeRecord &node, ContextRef parent, const ModuleMap &modules);

  [[nodiscard]] const std::vector<ContextNode> &nodes() const { return nodes_; }
  [[nodiscard]] const Symbolizer &symbolizer() const { return symbolizer_; }

private:
  std::optional<SourceLocation> site_of(const NodeRecord &node, const Probe &probe, const ModuleMap &modules);
  const Probe *representative(const Probe &probe);

  const Manifest *manifest_;
  ContextOptions options_;
  Symbolizer symbolizer_;
  std::vector<ContextNode> nodes_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::string, unsigned>, std::uint32_t> by_key_;
  std::map<std::pair<bool, std::string>, const Probe *>
      by_name_; // first probe of a function, if sites are merged
};

} // namespace vprof::vtree

#endif
