#include "edit_set.h"

#include "probe_text.h"

#include <gtest/gtest.h>

namespace vprof::instrument {
namespace {

TEST(EditSet, OrderDoesNotDependOnAdding) {
  const std::vector<Insertion> insertions = {{3, 0, "b"}, {3, -1, "a"}, {1, 0, "x"}};
  EditSet forward;
  EditSet backward;
  for (const Insertion &insertion : insertions)
    forward.add("f", insertion);
  for (auto it = insertions.rbegin(); it != insertions.rend(); ++it)
    backward.add("f", *it);
  EXPECT_EQ(forward.of("f"), backward.of("f"));
  EXPECT_EQ(with_insertions("01234", forward.of("f")), "0x12ab34");
}

TEST(EditSet, EqualInsertionsOfTwoUnitsAreOne) {
  EditSet edits;
  edits.add("header.h", {4, 0, "probe"});
  edits.add("header.h", {4, 0, "probe"});
  EXPECT_EQ(edits.of("header.h").size(), 1u);
}

TEST(EditSet, InsertionsAtBothEnds) {
  EXPECT_EQ(with_insertions("ab", {{0, 0, "<"}, {2, 0, ">"}}), "<ab>");
  EXPECT_EQ(with_insertions("", {{0, 0, "x"}}), "x");
}

TEST(TakeOut, UndoesInsertionsInAnEditedFile) {
  const std::vector<Insertion> insertions = {{0, -2, "#include \"p.h\""}, {12, 0, function_probe(7)}};
  std::string edited = with_insertions("\nint f(void) { return 1; }\n", insertions);
  edited.insert(edited.find("return"), "log(); ");
  edited += "int g;\n";
  EXPECT_EQ(take_out(edited, insertions), "\nint f(void) { log(); return 1; }\nint g;\n");
}

TEST(TakeOut, RefusesWhenAProbeIsGoneOrCopied) {
  const std::vector<Insertion> insertions = {{1, 0, function_probe(7)}};
  const std::string instrumented = with_insertions("{}", insertions);
  EXPECT_EQ(take_out("{}", insertions), std::nullopt);
  EXPECT_EQ(take_out(instrumented + instrumented, insertions), std::nullopt);
  EXPECT_EQ(take_out(instrumented, insertions), "{}");
}

TEST(TakeOut, EndsOfNestedWraps) {
  const std::vector<Insertion> insertions = {
      {0, 1, wrap_begin(1)}, {2, 1, wrap_begin(2)}, {5, 3, wrap_end()}, {6, 6, wrap_end()}};
  const std::string instrumented = with_insertions("f(g())", insertions);
  EXPECT_EQ(instrumented, "VPROF_CALL(0x00000001u) f(VPROF_CALL(0x00000002u) g() VPROF_END) VPROF_END");
  EXPECT_EQ(take_out(instrumented, insertions), "f(g())");
}

} // namespace
} // namespace vprof::instrument
