#include "vprof/vtree/manifest_view.h"

#include "run_builder.h"

#include <gtest/gtest.h>

namespace vprof::vtree {
namespace {

const char *const good = R"({"schema": "vprof.manifest/1", "plan": "0x1234567890abcdef", "tree": "/src",
  "root": {"id": 1, "function": "serve", "file": "a.c", "line": 3, "mode": ["loop"], "label": "@MARK"},
  "probes": [{"id": 1, "kind": "root", "function": "serve", "file": "a.c", "line": 3, "expanded": true, "complete": true,
              "height": 4, "future": 1},
             {"id": 7, "kind": "wait", "function": "fsync", "file": "a.c", "line": 9, "caller": "serve"}],
  "unmeasured": [{"caller": "serve", "callee": "memcpy", "file": "a.c", "line": 5, "reason": "macro"}],
  "call_graph": {"height": 4}})";

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Manifest, ReadsItsSubset) {
  llvm::Expected<Manifest> manifest = parse_manifest(good, "m");
  ASSERT_TRUE(static_cast<bool>(manifest));
  EXPECT_EQ(manifest->plan, 0x1234567890abcdefu);
  EXPECT_EQ(manifest->root.shown_name(), "@MARK");
  EXPECT_EQ(manifest->call_graph_height, 4);
  ASSERT_NE(manifest->find(7), nullptr);
  EXPECT_TRUE(manifest->find(7)->is_external());
  EXPECT_EQ(manifest->find(7)->caller, "serve");
  EXPECT_EQ(manifest->find(2), nullptr);
  EXPECT_EQ(manifest->unmeasured.size(), 1u);
}

TEST(Manifest, NamesWhatIsWrong) {
  const auto message = [](const std::string &text) {
    return test::message_of(parse_manifest(text, "m.json"));
  };
  EXPECT_EQ(message("{"), "m.json: not valid JSON");
  EXPECT_EQ(message(replaced(good, "manifest/1", "manifest/2")),
            "m.json: schema is 'vprof.manifest/2', 'vprof.manifest/1' expected");
  EXPECT_EQ(message(replaced(good, "\"id\": 7", "\"id\": 1")), "m.json: probe id 1 is given twice");
  EXPECT_EQ(message(replaced(good, "\"wait\"", "\"weight\"")),
            "m.json: probe 7 has the unknown kind 'weight'");
  EXPECT_EQ(message(replaced(good, "0x1234567890abcdef", "blue")),
            "m.json: plan is 'blue', a 64-bit number expected");
  EXPECT_EQ(message(replaced(good, "{\"id\": 1, \"kind\"", "{\"id\": 2, \"kind\"")),
            "m.json: the root's id 1 is not among the probes");
  EXPECT_NE(message(replaced(good, "\"probes\"", "\"sondes\"")).find("probes"), std::string::npos);
  EXPECT_NE(message("[]").find("m.json"), std::string::npos);
}

} // namespace
} // namespace vprof::vtree
