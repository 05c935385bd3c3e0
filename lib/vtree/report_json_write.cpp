// Report -> JSON. Keys come in the order of docs/report-format.md.
#include "report_names.h"

#include "vprof/vtree/report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace vprof::vtree {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no infinity and no NaN.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json number(const std::optional<double> &value) {
  return value ? number(*value) : Json(nullptr);
}

Json interval(const std::optional<ConfidenceInterval> &value) {
  return value ? Json::array({number(value->low), number(value->high)}) : Json(nullptr);
}

Json location(const std::optional<SourceLocation> &site) {
  return site ? Json{{"file", site->file}, {"line", site->line}} : Json(nullptr);
}

Json counts(const std::map<std::string, std::uint64_t> &by_reason) {
  Json json = Json::object();
  for (const auto &[reason, count] : by_reason)
    json[reason] = count;
  return json;
}

Json root_json(const ReportRoot &root) {
  return {{"function", root.function}, {"file", root.file}, {"line", root.line},
          {"label", root.label},       {"mode", root.mode}, {"height", root.height}};
}

Json latency_json(const Latency &latency) {
  return {{"mean_ns", number(latency.mean_ns)},     {"variance_ns2", number(latency.variance_ns2)},
          {"stddev_ns", number(latency.stddev_ns)}, {"p50_ns", number(latency.p50_ns)},
          {"p95_ns", number(latency.p95_ns)},       {"p99_ns", number(latency.p99_ns)},
          {"p999_ns", number(latency.p999_ns)},     {"max_ns", number(latency.max_ns)}};
}

Json covariance_json(const Covariance &pair) {
  return {{"a", pair.a},
          {"b", pair.b},
          {"a_id", pair.a_id},
          {"b_id", pair.b_id},
          {"contribution_ns2", number(pair.contribution_ns2)}};
}

Json node_json(const Node &node) {
  Json json{{"id", node.id},
            {"function", node.function},
            {"file", node.file},
            {"line", node.line},
            {"call_site", location(node.call_site)},
            {"kind", name_of(node_kind_names, node.kind)},
            {"height", node.height},
            {"expanded", node.expanded},
            {"calls_per_interval", number(node.calls_per_interval)},
            {"mean_ns", number(node.mean_ns)},
            {"variance_ns2", number(node.variance_ns2)},
            {"share", number(node.share)},
            {"share_ci95", interval(node.share_ci95)},
            {"tail_share", number(node.tail_share)},
            {"tail_share_ci95", interval(node.tail_share_ci95)},
            {"work_variance_ns2", number(node.work_variance_ns2)},
            {"work_groups", node.work_groups},
            {"probe_cost_ns", number(node.probe_cost_ns)},
            {"children", Json::array()},
            {"covariances", Json::array()}};
  for (const Node &child : node.children)
    json["children"].push_back(node_json(child));
  for (const Covariance &pair : node.covariances)
    json["covariances"].push_back(covariance_json(pair));
  return json;
}

Json factor_json(const Factor &factor) {
  Json json{{"rank", factor.rank},
            {"kind", name_of(factor_kind_names, factor.kind)},
            {"functions", factor.functions},
            {"node_kinds", Json::array()},
            {"variance_ns2", number(factor.variance_ns2)},
            {"variance_share", number(factor.variance_share)},
            {"share", number(factor.share)},
            {"share_ci95", interval(factor.share_ci95)},
            {"tail_share", number(factor.tail_share)},
            {"mean_ns", number(factor.mean_ns)},
            {"calls_per_interval", number(factor.calls_per_interval)},
            {"work_share", number(factor.work_share)},
            {"height", factor.height},
            {"specificity", number(factor.specificity)},
            {"score", number(factor.score)},
            {"lead_ci95", interval(factor.lead_ci95)},
            {"sites", Json::array()},
            {"verdict", name_of(verdict_names, factor.verdict)}};
  for (const NodeKind kind : factor.node_kinds)
    json["node_kinds"].push_back(name_of(node_kind_names, kind));
  for (const FactorSite &site : factor.sites)
    json["sites"].push_back({{"ids", site.ids},
                             {"path", site.path},
                             {"call_site", location(site.call_site)},
                             {"variance_ns2", number(site.variance_ns2)}});
  return json;
}

Json quality_json(const Quality &quality) {
  return {{"incomplete", counts(quality.cut)},
          {"files", quality.files},
          {"processes", quality.processes},
          {"threads", quality.threads},
          {"trace_bytes", quality.trace_bytes},
          {"clock_sources", quality.clock_sources},
          {"batches", quality.batches},
          {"probe_cost_subtracted", quality.probe_cost_subtracted},
          {"probe_cost_ns", number(quality.probe_cost_ns)},
          {"probe_pair_ns", number(quality.probe_pair_ns)},
          {"probe_inside_ns", number(quality.probe_inside_ns)},
          {"rest_share", number(quality.rest_share)},
          {"tail_threshold_ns", number(quality.tail_threshold_ns)},
          {"tail_intervals", quality.tail_intervals},
          {"damaged_chunks", quality.damaged_chunks},
          {"damaged_intervals", quality.damaged_intervals},
          {"damaged_bytes", quality.damaged_bytes},
          {"unsymbolized_sites", quality.unsymbolized_sites},
          {"modules_unsymbolized", quality.modules_unsymbolized},
          {"unmeasured_calls", quality.unmeasured_calls},
          {"warnings", quality.warnings}};
}

Json batch_json(const Sums &batch) {
  Json columns = Json::array();
  for (const ColumnSums &sums : batch.columns)
    columns.push_back(
        Json::array({sums.calls, decimal(sums.sum), decimal(sums.probe_cost), decimal(sums.tail_sum),
                     sums.sum_square.decimal(), sums.sum_with_root.decimal()}));
  Json pairs = Json::array();
  for (std::size_t i = 0; i < batch.pairs.size(); ++i)
    if (!batch.pairs[i].is_zero())
      pairs.push_back(Json::array({i, batch.pairs[i].decimal()}));
  return {{"intervals", batch.intervals},
          {"tail_intervals", batch.tail_intervals},
          {"columns", std::move(columns)},
          {"pairs", std::move(pairs)}};
}

Json statistics_json(const Statistics &statistics) {
  Json json{{"units_per_ns", units_per_ns},
            {"tail_quantile", statistics.tail_quantile},
            {"latency_bins", Json::array()},
            {"work_groups", Json::array()},
            {"batches", Json::array()}};
  for (const auto &[bin, intervals] : statistics.latency_bins)
    json["latency_bins"].push_back(Json::array({bin, intervals}));
  for (const auto &groups : statistics.work_groups) {
    Json list = Json::array();
    for (const auto &[number_of_group, group] : groups)
      list.push_back(Json::array({number_of_group, group.intervals, decimal(group.sum)}));
    json["work_groups"].push_back(std::move(list));
  }
  for (const Sums &batch : statistics.batches)
    json["batches"].push_back(batch_json(batch));
  return json;
}

} // namespace

// For people, all but the statistics is indented; the statistics are long, for programs, and stand on one
// line.
std::string to_json(const Report &report) {
  Json json{{"schema", report_schema},
            {"plan", fmt::format("{:#018x}", report.plan)},
            {"root", root_json(report.root)},
            {"intervals",
             {{"complete", report.intervals.complete},
              {"incomplete", report.intervals.incomplete},
              {"dropped", counts(report.intervals.dropped)}}},
            {"latency", report.latency ? latency_json(*report.latency) : Json(nullptr)},
            {"selection",
             {{"score", report.selection.score},
              {"k", report.selection.k},
              {"threshold", number(report.selection.threshold)}}},
            {"factors", Json::array()},
            {"tree", report.tree ? node_json(*report.tree) : Json(nullptr)},
            {"quality", quality_json(report.quality)}};
  for (const Factor &factor : report.factors)
    json["factors"].push_back(factor_json(factor));
  // Names come from other people's programs: what is not UTF-8 is replaced, not refused.
  const Json::error_handler_t replace = Json::error_handler_t::replace;
  std::string text = json.dump(2, ' ', false, replace);
  text.erase(text.rfind("\n}"));
  return text + ",\n  \"statistics\": " + statistics_json(report.statistics).dump() + "\n}\n";
}

} // namespace vprof::vtree
