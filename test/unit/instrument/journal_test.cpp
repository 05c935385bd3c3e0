#include "journal.h"

#include "file_util.h"

#include <vprof/instrument/instrumenter.h>

#include <gtest/gtest.h>
#include <llvm/Support/FileSystem.h>

#include <sys/stat.h>

namespace vprof::instrument {
namespace {

class JournalTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> folder;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("vprof-journal", folder));
    tree_ = real_path(folder.str().str());
    put("a.c", original_);
  }
  void TearDown() override { llvm::sys::fs::remove_directories(tree_); }

  void put(const std::string &path, const std::string &content) {
    ASSERT_FALSE(static_cast<bool>(write_file(tree_ + "/" + path, content)));
  }
  std::string get(const std::string &path) { return llvm::cantFail(read_file(tree_ + "/" + path)); }
  void journal_change() {
    Journal journal = llvm::cantFail(Journal::load(tree_));
    llvm::cantFail(journal.note("a.c", original_, instrumented_, insertions_));
    llvm::cantFail(journal.save());
  }

  std::string tree_;
  const std::string original_ = "int f(void) { return 1; }\n";
  const std::vector<Insertion> insertions_ = {{13, 0, " VPROF_FN(0x00000001u);"}};
  const std::string instrumented_ = with_insertions(original_, insertions_);
};

TEST_F(JournalTest, KilledBeforeTheFileWasChanged) {
  journal_change();
  llvm::cantFail(restore(tree_));
  EXPECT_EQ(get("a.c"), original_);
}

TEST_F(JournalTest, KilledAfterTheFileWasChanged) {
  journal_change();
  put("a.c", instrumented_);
  const Restored restored = llvm::cantFail(restore(tree_));
  EXPECT_EQ(restored.files, std::vector<std::string>{"a.c"});
  EXPECT_EQ(get("a.c"), original_);
  EXPECT_FALSE(llvm::sys::fs::exists(tree_ + "/.vprof"));
}

TEST_F(JournalTest, TheUsersEditIsKept) {
  journal_change();
  std::string edited = instrumented_;
  edited.replace(edited.find("return 1"), 8, "return 2");
  put("a.c", edited);
  EXPECT_EQ(llvm::cantFail(restore(tree_)).edited, std::vector<std::string>{"a.c"});
  EXPECT_EQ(get("a.c"), "int f(void) { return 2; }\n");
}

TEST_F(JournalTest, AnEditThatTouchedAProbeIsLeftAloneAndNamed) {
  journal_change();
  put("a.c", instrumented_ + instrumented_);
  llvm::Expected<Restored> restored = restore(tree_);
  ASSERT_FALSE(static_cast<bool>(restored));
  EXPECT_NE(llvm::toString(restored.takeError()).find("a.c: edited since"), std::string::npos);
  EXPECT_EQ(get("a.c"), instrumented_ + instrumented_);
  EXPECT_TRUE(llvm::sys::fs::exists(tree_ + "/.vprof/journal/journal.json"));
}

TEST_F(JournalTest, ModeIsKept) {
  ASSERT_EQ(::chmod((tree_ + "/a.c").c_str(), 0440), 0);
  journal_change();
  put("a.c", instrumented_);
  llvm::cantFail(restore(tree_));
  struct stat status{};
  ASSERT_EQ(::stat((tree_ + "/a.c").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777u, 0440u);
}

TEST_F(JournalTest, DamagedJournalIsNamed) {
  journal_change();
  put(".vprof/journal/journal.json", "{");
  llvm::Expected<Restored> restored = restore(tree_);
  ASSERT_FALSE(static_cast<bool>(restored));
  EXPECT_NE(llvm::toString(restored.takeError()).find("damaged"), std::string::npos);
}

TEST_F(JournalTest, NothingToRestore) {
  llvm::Expected<Restored> restored = restore(tree_);
  ASSERT_FALSE(static_cast<bool>(restored));
  EXPECT_NE(llvm::toString(restored.takeError()).find("nothing to restore"), std::string::npos);
}

} // namespace
} // namespace vprof::instrument
