#include "object_index.h"

#include "file_util.h"

#include <gtest/gtest.h>
#include <llvm/Support/FileSystem.h>

#include <cstdlib>

namespace vprof::instrument {
namespace {

class ObjectIndexTest : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    llvm::SmallString<128> folder;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("vprof-objects", folder));
    folder_ = real_path(folder.str().str());
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder_); }

  CompileCommand compile(const std::string &name, const std::string &source) {
    CompileCommand command;
    command.file = folder_ + "/" + name + ".c";
    command.output = folder_ + "/" + name + ".o";
    llvm::cantFail(write_file(command.file, source));
    const std::string line = fmt::format("{} -O1 -c {} -o {}", GetParam(), command.file, command.output);
    EXPECT_EQ(std::system(line.c_str()), 0) << line;
    return command;
  }

  std::string folder_;
};

TEST_P(ObjectIndexTest, CallsAcrossAndWithinObjects) {
  const std::string noinline = "__attribute__((noinline)) ";
  const std::vector<CompileCommand> commands = {
      compile(
          "a",
          noinline + "static int leaf(int x) { __asm__(\"\"); return x; }\n" +
              "int far(int);\nint near(int x);\n" + noinline +
              "int near(int x) { return leaf(x) + 1; }\nint top(int x) { return near(x) + far(x) + 1; }\n"),
      compile(
          "b",
          "int puts(const char *);\nint near(int);\nint far(int x) { puts(\"\"); return near(x) + 2; }\n")};
  const ObjectIndex index = index_objects(commands, 1);
  EXPECT_EQ(index.objects_read, 2u);
  EXPECT_EQ(index.definers.at("far"), std::vector<std::size_t>{1});
  EXPECT_EQ(index.definers.at("leaf"), std::vector<std::size_t>{0});
  const std::vector<int> heights = index.graph.heights();
  EXPECT_EQ(heights[index.graph.find(internal_vertex("leaf", 0))], 0);
  EXPECT_EQ(heights[index.graph.find("near")], 1);
  EXPECT_EQ(heights[index.graph.find("far")], 2);
  EXPECT_EQ(heights[index.graph.find("top")], 3);
  EXPECT_EQ(index.graph.find("puts"), CallGraph::npos);
}

// The call of stop() is the last instruction of its function and not yet relocated; what follows it is not
// its callee.
TEST_P(ObjectIndexTest, ACallAtTheEndDoesNotCallWhatFollows) {
  const std::vector<CompileCommand> commands = {
      compile("c",
              "__attribute__((noreturn)) void stop(int);\nvoid last(int x);\nvoid last(int x) { stop(x); }\n"
              "int deep(int);\nint next(int x);\nint next(int x) { return deep(x) + 1; }\n"),
      compile("d", "int deep(int x);\nint deep(int x) { return x; }\n")};
  const ObjectIndex index = index_objects(commands, 1);
  const std::vector<int> heights = index.graph.heights();
  EXPECT_EQ(heights[index.graph.find("next")], 1);
  EXPECT_EQ(heights[index.graph.find("last")], 0);
}

// An instrumented build must give the heights of the program, not those of the runtime in it.
TEST_P(ObjectIndexTest, TheRuntimeIsNotPartOfTheProgram) {
  const std::vector<CompileCommand> commands = {
      compile("e", "void vprof_i_flush(int);\nvoid vprof_i_enter(int x);\n"
                   "__attribute__((noinline)) void vprof_i_enter(int x) { vprof_i_flush(x + 1); }\n"
                   "int leaf(int x);\nint leaf(int x) { vprof_i_enter(x); return x; }\n"),
      compile("f", "void vprof_i_flush(int x);\nvoid vprof_i_flush(int x) { (void)x; }\n")};
  const ObjectIndex index = index_objects(commands, 1);
  EXPECT_EQ(index.graph.heights()[index.graph.find("leaf")], 0);
  EXPECT_EQ(index.graph.find("vprof_i_enter"), CallGraph::npos);
}

INSTANTIATE_TEST_SUITE_P(Compilers, ObjectIndexTest, testing::Values("gcc", "clang-19"));

TEST(ObjectIndex, ClonesBelongToTheirFunction) {
  EXPECT_EQ(without_clone_suffix("walk.part.0"), "walk");
  EXPECT_EQ(without_clone_suffix("walk.constprop.0.isra.1"), "walk");
  EXPECT_EQ(without_clone_suffix("walk"), "walk");
}

TEST(ObjectIndex, MissingAndForeignObjectsArePassedOver) {
  CompileCommand missing;
  missing.output = "/nonexistent/x.o";
  CompileCommand foreign;
  foreign.output = "/etc/hostname";
  EXPECT_EQ(index_objects({missing, foreign}, 1).objects_read, 0u);
}

} // namespace
} // namespace vprof::instrument
