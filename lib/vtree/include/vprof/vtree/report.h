// The report: what the analysis of a run says. Plain data; docs/report-format.md explains every field of its
// JSON.
#ifndef VPROF_VTREE_REPORT_H
#define VPROF_VTREE_REPORT_H

#include "vprof/vtree/jackknife.h"
#include "vprof/vtree/statistics.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace vprof::vtree {

struct ReportRoot {
  std::string function;
  std::string file;
  unsigned line = 0;
  std::string label;             // "@MARK" of a loop, else empty
  std::vector<std::string> mode; // of "idle", "loop", "units", "unit_begin"
  int height = -1;               // of the static call graph, -1 unknown
};

struct IntervalCounts {
  std::uint64_t complete = 0;
  std::uint64_t incomplete = 0;                 // begun and not ended; in no statistic
  std::map<std::string, std::uint64_t> dropped; // by reason; reasons with 0 are left out
};

struct Latency {
  double mean_ns = 0;
  double variance_ns2 = 0;
  double stddev_ns = 0;
  double p50_ns = 0; // quantiles are nearest rank: the ceil(q n)-th smallest value
  double p95_ns = 0;
  double p99_ns = 0;
  double p999_ns = 0;
  double max_ns = 0;
};

/// One pair of siblings: 2 Cov(T_a, T_b). Pairs that contribute exactly 0 are left out.
struct Covariance {
  std::uint32_t a_id = 0;
  std::uint32_t b_id = 0;
  std::string a; // shown_name of the children
  std::string b;
  double contribution_ns2 = 0; // doubled already
};

struct Node {
  std::uint32_t id = 0; // column in Report::statistics
  NodeKind kind = NodeKind::function;
  std::string function;
  std::string file;
  unsigned line = 0;
  std::optional<SourceLocation> call_site;
  int height = -1;
  bool expanded = false;

  double calls_per_interval = 0; // of a body or rest: its function's
  double mean_ns = 0;
  double variance_ns2 = 0;
  std::optional<double> share; // of the root's variance, additive; none if the root does not vary
  std::optional<ConfidenceInterval> share_ci95;
  std::optional<double> tail_share; // additive; none if the tail is no slower than the whole
  std::optional<ConfidenceInterval> tail_share_ci95;
  double work_variance_ns2 = 0; // Var(E[T | N]): the part of variance_ns2 that comes with more calls
  std::uint64_t work_groups =
      0;                    // distinct numbers of calls seen; close to the number of intervals: no evidence
  double probe_cost_ns = 0; // mean per interval, subtracted already

  std::vector<Node> children;          // greatest variance first, then by name and call site
  std::vector<Covariance> covariances; // of children, greatest magnitude first

  [[nodiscard]] bool is_remainder() const { return kind == NodeKind::body || kind == NodeKind::rest; }
  /// "f", "f (body)" or "f (rest)".
  [[nodiscard]] std::string shown_name() const;
};

std::string shown_name(llvm::StringRef function, NodeKind kind);

enum class FactorKind { variance, covariance };
enum class Verdict { finding, undecided };

/// One place in the tree that a factor was summed over.
struct FactorSite {
  std::vector<std::uint32_t> ids; // one node, or the two of a pair
  std::vector<std::string> path;  // functions from the root down to the node, or to the pair's parent
  std::optional<SourceLocation> call_site; // of the node
  double variance_ns2 = 0;                 // contribution of this site
};

/// A function, or a pair of siblings, that explains variance. Filled by select::rank.
struct Factor {
  unsigned rank = 0; // from 1
  FactorKind kind = FactorKind::variance;
  std::vector<std::string> functions; // shown names, one or two
  std::vector<NodeKind> node_kinds;   // of the functions, in the same order
  double variance_ns2 = 0;            // sum over sites; of a pair 2 Cov
  double variance_share = 0;          // variance_ns2 / Var(T_root)
  double share = 0;                   // additive share; of a pair the same as variance_share
  std::optional<ConfidenceInterval> share_ci95;
  double tail_share = 0; // 0 for a pair, or where there is no tail
  double mean_ns = 0;    // per interval, sum over sites; of a pair 0
  double calls_per_interval = 0;
  double work_share = 0; // part of variance_ns2 that comes with the number of calls
  int height = 0;
  double specificity = 0;
  double score = 0;
  /// 95 % interval of score minus the next factor's score, as a part of this score; none for the last or
  /// without batches. Covers 0: the order of the two is not decided.
  std::optional<ConfidenceInterval> lead_ci95;
  std::vector<FactorSite> sites; // greatest contribution first
  Verdict verdict = Verdict::undecided;
};

/// How the factors were selected, so that a report can be read alone.
struct Selection {
  std::string score = "paper"; // "paper", "share" or "tail"
  unsigned k = 5;
  double threshold = 0.01;
};

/// What the numbers rest on, and what was lost.
struct Quality {
  std::map<std::string, std::uint64_t> cut; // incomplete intervals by reason
  std::uint64_t files = 0;
  std::uint64_t processes = 0;
  std::uint64_t threads = 0;
  std::uint64_t trace_bytes = 0;
  std::vector<std::string> clock_sources;
  std::uint64_t batches = 0;
  bool probe_cost_subtracted = true;
  double probe_cost_ns = 0;   // mean per interval, in the root's time
  double probe_pair_ns = 0;   // calibrated cost of one enter/leave pair, mean over files
  double probe_inside_ns = 0; // the part of it inside the measured node
  double rest_share = 0;      // mean time in rests / mean time of the root
  std::optional<double> tail_threshold_ns;
  std::uint64_t tail_intervals = 0;
  std::uint64_t damaged_chunks = 0;
  std::uint64_t damaged_intervals = 0;
  std::uint64_t damaged_bytes = 0;
  std::uint64_t unsymbolized_sites = 0;
  std::vector<std::string> modules_unsymbolized;
  std::uint64_t unmeasured_calls = 0; // calls below expanded functions that have no probe
  std::vector<std::string> warnings;
};

struct Report {
  std::uint64_t plan = 0;
  ReportRoot root;
  IntervalCounts intervals;
  std::optional<Latency> latency; // none without a complete interval
  std::optional<Node> tree;       // none without a complete interval
  std::vector<Factor> factors;
  Selection selection;
  Quality quality;
  Statistics statistics;
};

/// The node with this id, or null.
const Node *find_node(const Report &report, std::uint32_t id);

/// report.json, schema "vprof.report/1", in a fixed order of keys, ending in a newline. Numbers are finite:
/// what is not defined is null.
std::string to_json(const Report &report);

/// Inverse of to_json. Errors: not JSON, another schema, a missing field or one of the wrong type or range.
llvm::Expected<Report> report_from_json(llvm::StringRef text, llvm::StringRef name);
llvm::Expected<Report> read_report(const std::string &path);

} // namespace vprof::vtree

#endif
