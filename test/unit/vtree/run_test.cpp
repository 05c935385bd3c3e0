#include "vprof/vtree/run.h"

#include "run_builder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace vprof::vtree {
namespace {

class RunFolder : public testing::Test {
protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("vprof_run_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void add_manifest(const std::string &plan = "0x1") {
    std::ofstream(folder_ / "manifest.json")
        << R"({"schema": "vprof.manifest/1", "plan": ")" << plan
        << R"(", "root": {"id": 1, "function": "f"}, "probes": [{"id": 1, "kind": "root", "function": "f"}]})";
  }
  void add_trace(const std::string &name) {
    test::TraceWriter writer(1);
    writer.chunk().node(0, 1).interval(0, 5, {{1, 1, 5}});
    ASSERT_TRUE(writer.save((folder_ / name).string()));
  }
  std::string path() const { return folder_.string(); }

  std::filesystem::path folder_;
};

TEST_F(RunFolder, FindsTracesAndManifest) {
  add_manifest();
  add_trace("vprof.2.a.vpt");
  add_trace("vprof.1.b.vpt");
  std::ofstream(folder_ / "notes.txt") << "not a trace";
  std::ofstream(folder_ / "vprof.3.c.vpt").flush();
  llvm::Expected<vtree::Run> run = load_run({path()});
  ASSERT_TRUE(static_cast<bool>(run)) << llvm::toString(run.takeError());
  ASSERT_EQ(run->files.size(), 2u);
  EXPECT_NE(run->files[0].name().find("vprof.1.b.vpt"), std::string::npos);
  ASSERT_EQ(run->warnings.size(), 1u);
  EXPECT_NE(run->warnings[0].find("vprof.3.c.vpt is empty"), std::string::npos);

  llvm::Expected<vtree::Run> single = load_run({path() + "/vprof.2.a.vpt"});
  ASSERT_TRUE(static_cast<bool>(single));
  EXPECT_EQ(single->files.size(), 1u);
}

TEST_F(RunFolder, SaysWhatIsMissing) {
  EXPECT_EQ(test::message_of(load_run({path()})),
            "no trace in " + path() + ": run the program with `vprof run`");
  add_trace("a.vpt");
  EXPECT_NE(test::message_of(load_run({path()})).find("manifest.json"), std::string::npos);
  EXPECT_NE(test::message_of(load_run({path() + "/b.vpt"})).find("cannot read"), std::string::npos);
  add_manifest("0xff");
  std::filesystem::remove(folder_ / "a.vpt");
  llvm::Expected<vtree::Run> nothing = load_run({path()});
  ASSERT_TRUE(static_cast<bool>(nothing)) << llvm::toString(nothing.takeError());
  EXPECT_TRUE(nothing->files.empty());
  EXPECT_EQ(nothing->warnings.size(), 1u);
  add_trace("a.vpt");
  EXPECT_EQ(test::message_of(load_run({path()})),
            "trace " + path() +
                "/a.vpt was recorded by plan 0x1, the manifest describes plan "
                "0xff: build and run again");
  std::ofstream(folder_ / "foreign.vpt") << "hello world";
  EXPECT_EQ(
      test::message_of(load_run({path()})),
      path() +
          "/foreign.vpt: not a vprof trace: 'VPROFTRC' expected at byte 0, found 68 65 6c 6c 6f 20 77 6f");
}

} // namespace
} // namespace vprof::vtree
