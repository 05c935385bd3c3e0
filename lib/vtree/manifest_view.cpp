#include "vprof/vtree/manifest_view.h"

#include "vprof/vtree/error.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <utility>

namespace vprof::vtree {
namespace {

using Json = nlohmann::json;

std::optional<ProbeKind> probe_kind(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<ProbeKind>>(name)
      .Case("root", ProbeKind::root)
      .Case("function", ProbeKind::function)
      .Case("call", ProbeKind::call)
      .Case("wait", ProbeKind::wait)
      .Case("idle", ProbeKind::idle)
      .Case("unit_begin", ProbeKind::unit_begin)
      .Case("unit_end", ProbeKind::unit_end)
      .Default(std::nullopt);
}

llvm::Expected<Probe> parse_probe(const Json &json, llvm::StringRef name) {
  Probe probe;
  probe.id = json.at("id").get<std::uint32_t>();
  const std::string kind = json.at("kind").get<std::string>();
  const std::optional<ProbeKind> known = probe_kind(kind);
  if (!known)
    return bad_input("{}: probe {} has the unknown kind '{}'", name.str(), probe.id, kind);
  probe.kind = *known;
  probe.function = json.at("function").get<std::string>();
  probe.file = json.value("file", "");
  probe.line = json.value("line", 0u);
  probe.expanded = json.value("expanded", false);
  probe.complete = json.value("complete", false);
  probe.height = json.value("height", -1);
  probe.caller = json.value("caller", "");
  return probe;
}

RootInfo parse_root(const Json &json) {
  RootInfo root;
  root.id = json.at("id").get<std::uint32_t>();
  root.function = json.at("function").get<std::string>();
  root.file = json.value("file", "");
  root.line = json.value("line", 0u);
  root.mode = json.value("mode", std::vector<std::string>{});
  root.label = json.value("label", "");
  return root;
}

UnmeasuredCall parse_unmeasured(const Json &json) {
  return {json.value("caller", ""), json.value("callee", ""), json.value("file", ""), json.value("line", 0u),
          json.value("reason", "")};
}

llvm::Expected<Manifest> parse_fields(const Json &json, llvm::StringRef name) {
  const std::string schema = json.at("schema").get<std::string>();
  if (schema != "vprof.manifest/1")
    return bad_input("{}: schema is '{}', 'vprof.manifest/1' expected", name.str(), schema);
  Manifest manifest;
  const std::string plan = json.at("plan").get<std::string>();
  if (llvm::StringRef(plan).getAsInteger(0, manifest.plan))
    return bad_input("{}: plan is '{}', a 64-bit number expected", name.str(), plan);
  manifest.tree = json.value("tree", "");
  manifest.root = parse_root(json.at("root"));
  for (const Json &entry : json.at("probes")) {
    llvm::Expected<Probe> probe = parse_probe(entry, name);
    if (!probe)
      return probe.takeError();
    if (manifest.find(probe->id) != nullptr)
      return bad_input("{}: probe id {} is given twice", name.str(), probe->id);
    manifest.add(std::move(*probe));
  }
  if (manifest.find(manifest.root.id) == nullptr)
    return bad_input("{}: the root's id {} is not among the probes", name.str(), manifest.root.id);
  if (json.contains("unmeasured"))
    for (const Json &entry : json.at("unmeasured"))
      manifest.unmeasured.push_back(parse_unmeasured(entry));
  if (json.contains("call_graph"))
    manifest.call_graph_height = json.at("call_graph").value("height", -1);
  return manifest;
}

} // namespace

const Probe *Manifest::find(std::uint32_t id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &probes_[found->second];
}

void Manifest::add(Probe probe) {
  by_id_.emplace(probe.id, probes_.size());
  probes_.push_back(std::move(probe));
}

llvm::Expected<Manifest> parse_manifest(llvm::StringRef text, llvm::StringRef name) {
  const Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded())
    return bad_input("{}: not valid JSON", name.str());
  try {
    return parse_fields(json, name);
  } catch (const Json::exception &error) {
    return bad_input("{}: {}", name.str(), error.what());
  }
}

llvm::Expected<Manifest> read_manifest(const std::string &path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> bytes = llvm::MemoryBuffer::getFile(path);
  if (!bytes)
    return bad_input("cannot read {}: {}", path, bytes.getError().message());
  return parse_manifest((*bytes)->getBuffer(), path);
}

} // namespace vprof::vtree
