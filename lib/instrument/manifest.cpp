#include "manifest.h"

#include "file_util.h"

#include <nlohmann/json.hpp>

namespace vprof::instrument {
namespace {

nlohmann::ordered_json probe_json(const Probe &probe, const std::string &tree) {
  nlohmann::ordered_json json = {{"id", probe.id},
                                 {"kind", name_of(probe.kind)},
                                 {"function", probe.function},
                                 {"file", relative_to(probe.place.file, tree)},
                                 {"line", probe.place.line},
                                 {"expanded", probe.expanded},
                                 {"complete", probe.complete},
                                 {"height", probe.height}};
  if (!probe.caller.empty())
    json["caller"] = probe.caller;
  if (!probe.condition.empty())
    json["condition"] = probe.condition;
  return json;
}

nlohmann::ordered_json unmeasured_json(const Unmeasured &unmeasured, const std::string &tree) {
  return {{"caller", unmeasured.caller},
          {"callee", unmeasured.callee},
          {"file", relative_to(unmeasured.place.file, tree)},
          {"line", unmeasured.place.line},
          {"reason", unmeasured.reason}};
}

} // namespace

std::string plan_text(std::uint64_t fingerprint) {
  return fmt::format("0x{:016x}", fingerprint);
}

std::string manifest_text(const Plan &plan, std::uint64_t fingerprint, const std::string &tree) {
  const Probe &root = plan.root();
  nlohmann::ordered_json json = {{"schema", "vprof.manifest/1"},
                                 {"plan", plan_text(fingerprint)},
                                 {"tree", tree},
                                 {"root",
                                  {{"id", root.id},
                                   {"function", root.function},
                                   {"file", relative_to(root.place.file, tree)},
                                   {"line", root.place.line},
                                   {"mode", plan.modes},
                                   {"label", plan.root_label}}},
                                 {"call_graph", {{"height", plan.graph_height}}}};
  json["probes"] = nlohmann::ordered_json::array();
  for (const Probe &probe : plan.probes)
    json["probes"].push_back(probe_json(probe, tree));
  json["unmeasured"] = nlohmann::ordered_json::array();
  for (const Unmeasured &unmeasured : plan.unmeasured)
    json["unmeasured"].push_back(unmeasured_json(unmeasured, tree));
  // A name that is not UTF-8 must not stop the work.
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace vprof::instrument
