// JSON -> report. Strict: what it accepts, to_json could have written, give or take more fields.
#include "report_names.h"

#include "vprof/vtree/error.h"
#include "vprof/vtree/report.h"

#include "llvm/Support/MemoryBuffer.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace vprof::vtree {
namespace {

using Json = nlohmann::json;

constexpr unsigned max_depth = 1000;
constexpr std::size_t max_columns = 10'000'000;

/// Thrown inside this file only; report_from_json makes an llvm::Error of it.
struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void require(bool condition, const std::string &message) {
  if (!condition)
    throw Unreadable(message);
}

std::uint64_t unsigned_of(const Json &value, const std::string &what) {
  require(value.is_number_unsigned(), what + ": a number of things expected");
  return value.get<std::uint64_t>();
}

std::uint64_t count(const Json &json, const char *key) {
  return unsigned_of(json.at(key), key);
}

std::uint32_t count32(const Json &json, const char *key) {
  const std::uint64_t value = count(json, key);
  require(value <= UINT32_MAX, fmt::format("{}: {} is too large", key, value));
  return static_cast<std::uint32_t>(value);
}

int height(const Json &json) {
  const Json &value = json.at("height");
  require(value.is_number_integer() && value.get<std::int64_t>() >= -1 &&
              value.get<std::int64_t>() < INT32_MAX,
          "height: an integer of at least -1 expected");
  return value.get<int>();
}

double number(const Json &json, const char *key) {
  const Json &value = json.at(key);
  require(value.is_number(), std::string(key) + ": a number expected");
  return value.get<double>();
}

std::optional<double> optional_number(const Json &json, const char *key) {
  return json.at(key).is_null() ? std::nullopt : std::optional(number(json, key));
}

std::string string(const Json &json, const char *key) {
  return json.at(key).get<std::string>();
}

std::optional<ConfidenceInterval> interval(const Json &json, const char *key) {
  const Json &value = json.at(key);
  if (value.is_null())
    return std::nullopt;
  require(value.is_array() && value.size() == 2 && value[0].is_number() && value[1].is_number(),
          std::string(key) + ": null or two numbers expected");
  return ConfidenceInterval{value[0].get<double>(), value[1].get<double>()};
}

std::optional<SourceLocation> location(const Json &json) {
  if (json.is_null())
    return std::nullopt;
  return SourceLocation{string(json, "file"), count32(json, "line")};
}

std::map<std::string, std::uint64_t> counts(const Json &json) {
  std::map<std::string, std::uint64_t> by_reason;
  for (const auto &[reason, value] : json.items())
    by_reason[reason] = unsigned_of(value, reason);
  return by_reason;
}

template <class Enum, std::size_t Size>
Enum enumerator(const std::array<std::pair<Enum, std::string_view>, Size> &names, const Json &json,
                const char *what) {
  const std::string name = json.get<std::string>();
  const std::optional<Enum> value = value_of(names, name);
  require(value.has_value(), fmt::format("{}: unknown word '{}'", what, name));
  return *value;
}

ReportRoot root_of(const Json &json) {
  ReportRoot root;
  root.function = string(json, "function");
  root.file = string(json, "file");
  root.line = count32(json, "line");
  root.label = string(json, "label");
  root.mode = json.at("mode").get<std::vector<std::string>>();
  root.height = height(json);
  return root;
}

std::optional<Latency> latency_of(const Json &json) {
  if (json.is_null())
    return std::nullopt;
  return Latency{number(json, "mean_ns"), number(json, "variance_ns2"), number(json, "stddev_ns"),
                 number(json, "p50_ns"),  number(json, "p95_ns"),       number(json, "p99_ns"),
                 number(json, "p999_ns"), number(json, "max_ns")};
}

bool is_child(const Node &node, std::uint32_t id) {
  return std::any_of(node.children.begin(), node.children.end(),
                     [id](const Node &child) { return child.id == id; });
}

Node node_of(const Json &json, unsigned depth) {
  require(depth < max_depth, "tree: too deep");
  Node node;
  node.id = count32(json, "id");
  node.kind = enumerator(node_kind_names, json.at("kind"), "kind");
  node.function = string(json, "function");
  node.file = string(json, "file");
  node.line = count32(json, "line");
  node.call_site = location(json.at("call_site"));
  node.height = height(json);
  node.expanded = json.at("expanded").get<bool>();
  node.calls_per_interval = number(json, "calls_per_interval");
  node.mean_ns = number(json, "mean_ns");
  node.variance_ns2 = number(json, "variance_ns2");
  node.share = optional_number(json, "share");
  node.share_ci95 = interval(json, "share_ci95");
  node.tail_share = optional_number(json, "tail_share");
  node.tail_share_ci95 = interval(json, "tail_share_ci95");
  node.work_variance_ns2 = number(json, "work_variance_ns2");
  node.work_groups = count(json, "work_groups");
  node.probe_cost_ns = number(json, "probe_cost_ns");
  for (const Json &child : json.at("children"))
    node.children.push_back(node_of(child, depth + 1));
  for (const Json &pair : json.at("covariances")) {
    require(is_child(node, count32(pair, "a_id")) && is_child(node, count32(pair, "b_id")),
            fmt::format("covariances: of {} and {}, one is no child of {}", string(pair, "a"),
                        string(pair, "b"), node.id));
    node.covariances.push_back({count32(pair, "a_id"), count32(pair, "b_id"), string(pair, "a"),
                                string(pair, "b"), number(pair, "contribution_ns2")});
  }
  return node;
}

FactorSite site_of(const Json &json) {
  FactorSite site;
  site.ids = json.at("ids").get<std::vector<std::uint32_t>>();
  site.path = json.at("path").get<std::vector<std::string>>();
  site.call_site = location(json.at("call_site"));
  site.variance_ns2 = number(json, "variance_ns2");
  return site;
}

Factor factor_of(const Json &json) {
  Factor factor;
  factor.rank = count32(json, "rank");
  factor.kind = enumerator(factor_kind_names, json.at("kind"), "kind");
  factor.functions = json.at("functions").get<std::vector<std::string>>();
  for (const Json &kind : json.at("node_kinds"))
    factor.node_kinds.push_back(enumerator(node_kind_names, kind, "node_kinds"));
  require(factor.functions.size() == (factor.kind == FactorKind::covariance ? 2u : 1u) &&
              factor.node_kinds.size() == factor.functions.size(),
          "functions: one for a variance, two for a covariance expected");
  factor.variance_ns2 = number(json, "variance_ns2");
  factor.variance_share = number(json, "variance_share");
  factor.share = number(json, "share");
  factor.share_ci95 = interval(json, "share_ci95");
  factor.tail_share = number(json, "tail_share");
  factor.mean_ns = number(json, "mean_ns");
  factor.calls_per_interval = number(json, "calls_per_interval");
  factor.work_share = number(json, "work_share");
  factor.height = height(json);
  factor.specificity = number(json, "specificity");
  factor.score = number(json, "score");
  factor.lead_ci95 = interval(json, "lead_ci95");
  for (const Json &site : json.at("sites"))
    factor.sites.push_back(site_of(site));
  factor.verdict = enumerator(verdict_names, json.at("verdict"), "verdict");
  return factor;
}

Quality quality_of(const Json &json) {
  Quality quality;
  quality.cut = counts(json.at("incomplete"));
  quality.files = count(json, "files");
  quality.processes = count(json, "processes");
  quality.threads = count(json, "threads");
  quality.trace_bytes = count(json, "trace_bytes");
  quality.clock_sources = json.at("clock_sources").get<std::vector<std::string>>();
  quality.batches = count(json, "batches");
  quality.probe_cost_subtracted = json.at("probe_cost_subtracted").get<bool>();
  quality.probe_cost_ns = number(json, "probe_cost_ns");
  quality.probe_pair_ns = number(json, "probe_pair_ns");
  quality.probe_inside_ns = number(json, "probe_inside_ns");
  quality.rest_share = number(json, "rest_share");
  quality.tail_threshold_ns = optional_number(json, "tail_threshold_ns");
  quality.tail_intervals = count(json, "tail_intervals");
  quality.damaged_chunks = count(json, "damaged_chunks");
  quality.damaged_intervals = count(json, "damaged_intervals");
  quality.damaged_bytes = count(json, "damaged_bytes");
  quality.unsymbolized_sites = count(json, "unsymbolized_sites");
  quality.modules_unsymbolized = json.at("modules_unsymbolized").get<std::vector<std::string>>();
  quality.unmeasured_calls = count(json, "unmeasured_calls");
  quality.warnings = json.at("warnings").get<std::vector<std::string>>();
  return quality;
}

/// Makes the columns of the statistics from the tree: node ids are column numbers.
void collect_columns(const Node &node, std::uint32_t parent, std::vector<std::optional<Column>> &columns) {
  require(node.id < max_columns && (parent == no_column ? node.id == 0 : node.id > parent),
          fmt::format("tree: id {} is out of order", node.id));
  if (node.id >= columns.size())
    columns.resize(node.id + 1);
  require(!columns[node.id], fmt::format("tree: id {} is given twice", node.id));
  columns[node.id] = Column{parent,    node.kind,      node.function, node.file,
                            node.line, node.call_site, node.height,   node.expanded};
  for (const Node &child : node.children)
    collect_columns(child, node.id, columns);
}

std::vector<Column> columns_of(const Node &tree) {
  std::vector<std::optional<Column>> found;
  collect_columns(tree, no_column, found);
  std::vector<Column> columns;
  for (std::size_t id = 0; id < found.size(); ++id) {
    require(found[id].has_value(), fmt::format("tree: id {} is missing", id));
    columns.push_back(*found[id]);
  }
  return columns;
}

Int128 sum_of(const Json &json) {
  const std::optional<Int128> value = int128_from_decimal(json.get<std::string>());
  require(value.has_value(), "statistics: a decimal number of at most 128 bits expected");
  return *value;
}

WideSum wide_sum_of(const Json &json) {
  const std::optional<WideSum> value = WideSum::from_decimal(json.get<std::string>());
  require(value.has_value(), "statistics: a decimal number of at most 192 bits expected");
  return *value;
}

ColumnSums column_sums_of(const Json &json) {
  require(json.is_array() && json.size() == 6, "statistics: six numbers per column expected");
  ColumnSums sums;
  sums.calls = unsigned_of(json[0], "calls");
  sums.sum = sum_of(json[1]);
  sums.probe_cost = sum_of(json[2]);
  sums.tail_sum = sum_of(json[3]);
  sums.sum_square = wide_sum_of(json[4]);
  sums.sum_with_root = wide_sum_of(json[5]);
  return sums;
}

Sums batch_of(const Json &json, std::size_t columns, std::size_t pairs) {
  Sums batch;
  batch.intervals = count(json, "intervals");
  batch.tail_intervals = count(json, "tail_intervals");
  for (const Json &sums : json.at("columns"))
    batch.columns.push_back(column_sums_of(sums));
  require(batch.columns.size() == columns, "statistics: as many columns as nodes expected");
  batch.pairs.resize(pairs);
  for (const Json &pair : json.at("pairs")) {
    require(pair.is_array() && pair.size() == 2, "statistics: two numbers per pair expected");
    const std::uint64_t index = unsigned_of(pair[0], "pair");
    require(index < pairs, fmt::format("statistics: pair {} does not exist", index));
    batch.pairs[index] = wide_sum_of(pair[1]);
  }
  return batch;
}

std::map<std::uint32_t, GroupSum> groups_of(const Json &json) {
  std::map<std::uint32_t, GroupSum> groups;
  for (const Json &group : json) {
    require(group.is_array() && group.size() == 3, "statistics: three numbers per work group expected");
    groups[static_cast<std::uint32_t>(unsigned_of(group[0], "group"))] = {unsigned_of(group[1], "intervals"),
                                                                          sum_of(group[2])};
  }
  return groups;
}

Statistics statistics_of(const Json &json, const std::optional<Node> &tree) {
  Statistics statistics;
  require(number(json, "units_per_ns") == units_per_ns, "units_per_ns: 256 expected");
  statistics.tail_quantile = number(json, "tail_quantile");
  if (!tree)
    return statistics;
  statistics.columns = columns_of(*tree);
  const std::size_t pairs = statistics.layout().pairs();
  for (const Json &bin : json.at("latency_bins")) {
    require(bin.is_array() && bin.size() == 2, "statistics: two numbers per latency bin expected");
    statistics.latency_bins[static_cast<std::uint32_t>(unsigned_of(bin[0], "bin"))] =
        unsigned_of(bin[1], "intervals");
  }
  for (const Json &groups : json.at("work_groups"))
    statistics.work_groups.push_back(groups_of(groups));
  require(statistics.work_groups.size() == statistics.columns.size(),
          "statistics: work groups for every node expected");
  for (const Json &batch : json.at("batches"))
    statistics.batches.push_back(batch_of(batch, statistics.columns.size(), pairs));
  return statistics;
}

Report report_of(const Json &json) {
  const std::string schema = string(json, "schema");
  require(schema == report_schema, fmt::format("schema is '{}', '{}' expected", schema, report_schema));
  Report report;
  require(!llvm::StringRef(string(json, "plan")).getAsInteger(0, report.plan),
          "plan: a 64-bit number expected");
  report.root = root_of(json.at("root"));
  const Json &intervals = json.at("intervals");
  report.intervals = {count(intervals, "complete"), count(intervals, "incomplete"),
                      counts(intervals.at("dropped"))};
  report.latency = latency_of(json.at("latency"));
  const Json &selection = json.at("selection");
  report.selection = {string(selection, "score"), count32(selection, "k"), number(selection, "threshold")};
  for (const Json &factor : json.at("factors"))
    report.factors.push_back(factor_of(factor));
  if (!json.at("tree").is_null())
    report.tree = node_of(json.at("tree"), 0);
  report.quality = quality_of(json.at("quality"));
  report.statistics = statistics_of(json.at("statistics"), report.tree);
  return report;
}

} // namespace

llvm::Expected<Report> report_from_json(llvm::StringRef text, llvm::StringRef name) {
  const Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded() || !json.is_object())
    return bad_input("{}: not a JSON object", name.str());
  try {
    return report_of(json);
  } catch (const Json::exception &error) {
    return bad_input("{}: not a report: {}", name.str(), error.what());
  } catch (const Unreadable &error) {
    return bad_input("{}: not a report: {}", name.str(), error.what());
  }
}

llvm::Expected<Report> read_report(const std::string &path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> bytes = llvm::MemoryBuffer::getFile(path);
  if (!bytes)
    return bad_input("cannot read {}: {}", path, bytes.getError().message());
  return report_from_json((*bytes)->getBuffer(), path);
}

} // namespace vprof::vtree
