// report.json: round trip, the golden trace of format version 1, and docs/report-schema.json.
#include "vprof/vtree/report.h"

#include "run_builder.h"
#include "schema_check.h"

#include "vprof/select/rank.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace vprof::vtree {
namespace {

using Json = nlohmann::json;

std::string read_text(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

const std::string golden = std::string(VPROF_TEST_DATA) + "/golden-v1";

Report golden_report() {
  llvm::Expected<vtree::Run> run = load_run({golden});
  EXPECT_TRUE(static_cast<bool>(run)) << llvm::toString(run.takeError());
  Report report = test::analyze_ok(*run);
  select::rank_into(report, {});
  // Paths of the traces depend on where the tests run.
  report.quality.warnings.clear();
  return report;
}

Report empty_report() {
  test::TraceWriter writer(test::test_plan);
  writer.chunk().node(0, 1);
  return test::analyze_ok(test::make_test_run({{"serve"}}, writer));
}

Report one_interval_report() {
  test::TraceWriter writer(test::test_plan);
  writer.chunk().node(0, 1).node(1, 2).interval(0, 7, {{1, 1, 7}, {2, 1, 3}});
  Report report =
      test::analyze_ok(test::make_test_run({{"serve", ProbeKind::root, true, true}, {"parse"}}, writer));
  select::rank_into(report, {});
  return report;
}

TEST(ReportJson, GoldenTraceOfVersion1) {
  const std::string got = to_json(golden_report());
  const std::string path = golden + "/report.json";
  if (got != read_text(path)) {
    const std::string written = testing::TempDir() + "/golden-v1-report.json";
    std::ofstream(written) << got;
    FAIL() << path << " and " << written << " differ";
  }
}

TEST(ReportJson, RoundTrip) {
  for (const Report &report : {golden_report(), empty_report(), one_interval_report()}) {
    const std::string json = to_json(report);
    llvm::Expected<Report> again = report_from_json(json, "r.json");
    ASSERT_TRUE(static_cast<bool>(again)) << llvm::toString(again.takeError());
    EXPECT_EQ(to_json(*again), json);
  }
}

TEST(ReportJson, FactorsOfAReadReportAreTheSame) {
  const Report report = golden_report();
  ASSERT_FALSE(report.factors.empty());
  llvm::Expected<Report> again = report_from_json(to_json(report), "r.json");
  ASSERT_TRUE(static_cast<bool>(again));
  again->factors.clear();
  select::rank_into(*again, {});
  EXPECT_EQ(to_json(*again), to_json(report));
}

TEST(ReportJson, ObeysItsSchema) {
  const Json schema = Json::parse(read_text(VPROF_REPORT_SCHEMA));
  for (const Report &report : {golden_report(), empty_report(), one_interval_report()}) {
    const std::vector<std::string> errors = test::schema_errors(schema, Json::parse(to_json(report)));
    EXPECT_TRUE(errors.empty()) << errors.front();
  }
}

TEST(ReportJson, SchemaCheckFindsMistakes) {
  const Json schema = Json::parse(read_text(VPROF_REPORT_SCHEMA));
  const Json good = Json::parse(to_json(golden_report()));
  const auto is_refused = [&](const std::string &pointer, const Json &value) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    return !test::schema_errors(schema, bad).empty();
  };
  EXPECT_TRUE(is_refused("/schema", "vprof.report/2"));
  EXPECT_TRUE(is_refused("/tree/share", "much"));
  EXPECT_TRUE(is_refused("/tree/children/0/kind", "limb"));
  EXPECT_TRUE(is_refused("/tree/children/0/id", -1));
  EXPECT_TRUE(is_refused("/latency/p50_ns", nullptr));
  EXPECT_TRUE(is_refused("/unheard_of", 1));
  Json incomplete = good;
  incomplete["quality"].erase("batches");
  EXPECT_FALSE(test::schema_errors(schema, incomplete).empty());
}

TEST(ReportJson, NamesOfAnyBytes) {
  Report report = one_interval_report();
  report.tree->function = "caf\xe9"; // Latin 1
  EXPECT_FALSE(Json::parse(to_json(report), nullptr, false).is_discarded());
}

TEST(ReportJson, RefusesWhatIsNoReport) {
  const std::string good = to_json(golden_report());
  const auto message = [](const std::string &text) {
    return test::message_of(report_from_json(text, "r.json"));
  };
  EXPECT_EQ(message("[1"), "r.json: not a JSON object");
  EXPECT_EQ(message("{\"schema\": \"other\"}"),
            "r.json: not a report: schema is 'other', 'vprof.report/1' expected");
  EXPECT_NE(message("{}").find("schema"), std::string::npos);
  // Every field matters: none may be taken out without a message.
  const Json whole = Json::parse(good);
  for (const char *object : {"", "/root", "/intervals", "/latency", "/quality", "/tree", "/selection",
                             "/factors/0", "/tree/children/0", "/statistics"})
    for (const auto &[key, value] : whole.at(Json::json_pointer(object)).items()) {
      Json part = whole;
      part[Json::json_pointer(object)].erase(key);
      EXPECT_NE(message(part.dump()), "") << object << "/" << key;
    }
}

TEST(ReportJson, RefusesInconsistentStatistics) {
  const Json good = Json::parse(to_json(golden_report()));
  const auto message_with = [&](const std::string &pointer, const Json &value) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    return test::message_of(report_from_json(bad.dump(), "r.json"));
  };
  // A tree whose ids are not 0, 1, 2 .. with parents first; covariances are taken out, since they name ids,
  // too.
  Json bare = good;
  bare["tree"]["covariances"] = Json::array();
  const auto message_with_first_id = [&](std::uint32_t id) {
    bare["tree"]["children"][0]["covariances"] = Json::array();
    bare["tree"]["children"][0]["id"] = id;
    return test::message_of(report_from_json(bare.dump(), "r.json"));
  };
  EXPECT_EQ(message_with_first_id(0), "r.json: not a report: tree: id 0 is out of order");
  EXPECT_NE(message_with_first_id(999).find("is out of order"),
            std::string::npos); // its children's are smaller
  bare["tree"]["children"][0]["children"] = Json::array();
  EXPECT_NE(message_with_first_id(999).find("is missing"), std::string::npos);
  EXPECT_NE(message_with_first_id(1).find("is given twice"), std::string::npos);
  EXPECT_NE(message_with("/statistics/batches/0/columns", Json::array()), "");
  EXPECT_NE(message_with("/statistics/batches/0/columns/0/1", "1e5"), "");
  EXPECT_NE(message_with("/statistics/batches/0/pairs", Json::array({Json::array({99999, "1"})})), "");
  EXPECT_NE(message_with("/statistics/units_per_ns", 1), "");
  EXPECT_NE(
      message_with(
          "/tree/children/0/covariances",
          Json::array({Json{{"a", "x"}, {"b", "y"}, {"a_id", 500}, {"b_id", 501}, {"contribution_ns2", 1}}})),
      "");
}

} // namespace
} // namespace vprof::vtree
