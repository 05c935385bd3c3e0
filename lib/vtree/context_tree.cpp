#include "vprof/vtree/context_tree.h"

#include <utility>

namespace vprof::vtree {

ContextTree::ContextTree(const Manifest &manifest, ContextOptions options)
    : manifest_(&manifest), options_(options), symbolizer_(manifest.tree) {
  ContextNode root;
  root.probe = manifest.find(manifest.root.id);
  nodes_.push_back(root);
}

std::optional<ContextRef> ContextTree::add(const NodeRecord &node, ContextRef parent,
                                           const ModuleMap &modules) {
  const Probe *probe = manifest_->find(node.probe_id);
  if (probe == nullptr)
    return std::nullopt;
  if (node.parent == 0)
    return ContextRef{0, false};
  if (parent.folded || nodes_[parent.context].depth == options_.max_depth) {
    nodes_[parent.context].has_folded = true;
    return ContextRef{parent.context, true};
  }
  if (!options_.separate_call_sites)
    probe = representative(*probe);
  const std::optional<SourceLocation> site = site_of(node, *probe, modules);
  const std::tuple key(parent.context, probe->id, site ? site->file : std::string(), site ? site->line : 0u);
  const auto [entry, is_new] = by_key_.try_emplace(key, static_cast<std::uint32_t>(nodes_.size()));
  if (is_new)
    nodes_.push_back({parent.context, probe, site, nodes_[parent.context].depth + 1, false});
  return ContextRef{entry->second, false};
}

std::optional<SourceLocation> ContextTree::site_of(const NodeRecord &node, const Probe &probe,
                                                   const ModuleMap &modules) {
  if (!options_.separate_call_sites)
    return std::nullopt;
  if (probe.is_external()) // a wrap is at the call itself
    return SourceLocation{probe.file, probe.line};
  return symbolizer_.call_site(modules, node.return_address, node.probe_address);
}

const Probe *ContextTree::representative(const Probe &probe) {
  return by_name_.try_emplace({probe.is_external(), probe.function}, &probe).first->second;
}

} // namespace vprof::vtree
