#include "include_point.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace vprof::instrument {
namespace {

const std::string directive = "#include \"p.h\"";

std::string included(const std::string &content) {
  return with_insertions(content, {include_insertion(content, directive)});
}

TEST(IncludePoint, LastBlankLineOfTheTop) {
  EXPECT_EQ(included("/* licence */\n\n#include <a.h>\n\nint x;\n\nint y;\n"),
            "/* licence */\n\n#include <a.h>\n#include \"p.h\"\nint x;\n\nint y;\n");
}

TEST(IncludePoint, NotInsideAComment) {
  EXPECT_EQ(included("\n/* one\n\n two */\nint x;\n"), "#include \"p.h\"\n/* one\n\n two */\nint x;\n");
}

TEST(IncludePoint, NotInsideAConditional) {
  EXPECT_EQ(included("\n#ifdef A\n\n#include <a.h>\n#endif\nint x;\n"),
            "#include \"p.h\"\n#ifdef A\n\n#include <a.h>\n#endif\nint x;\n");
}

TEST(IncludePoint, InsideAnIncludeGuard) {
  EXPECT_EQ(included("#ifndef X_H\n#define X_H\n\nint x;\n#endif\n"),
            "#ifndef X_H\n#define X_H\n#include \"p.h\"\nint x;\n#endif\n");
}

TEST(IncludePoint, NotBehindASplicedLine) {
  EXPECT_EQ(included("\n#define A \\\n\nint x;\n"), "#include \"p.h\"\n#define A \\\n\nint x;\n");
}

TEST(IncludePoint, KeepsCarriageReturns) {
  EXPECT_EQ(included("// a\r\n\r\nint x;\r\n"), "// a\r\n#include \"p.h\"\r\nint x;\r\n");
}

TEST(IncludePoint, WithoutABlankLineTheNumbersAreKept) {
  EXPECT_EQ(included("#include <a.h>\nint x;\n"), "#include <a.h>\n#include \"p.h\"\n#line 2\nint x;\n");
  EXPECT_EQ(included("int x;\n"), "#include \"p.h\"\n#line 1\nint x;\n");
}

TEST(IncludePoint, ByteOrderMarkStaysFirst) {
  EXPECT_EQ(included("\xef\xbb\xbfint x;\n"), "\xef\xbb\xbf#include \"p.h\"\n#line 1\nint x;\n");
}

TEST(IncludePoint, LineDirectiveEndsTheTop) {
  EXPECT_EQ(included("/* made by bison */\n#line 7 \"g.y\"\nint x;\n"),
            "/* made by bison */\n#include \"p.h\"\n#line 2\n#line 7 \"g.y\"\nint x;\n");
}

TEST(LastLine, EndsWithANewlineOrGetsOne) {
  EXPECT_EQ(with_insertions("a\n", {last_line_insertion("a\n", directive)}), "a\n#include \"p.h\"\n");
  EXPECT_EQ(with_insertions("a", {last_line_insertion("a", directive)}), "a\n#include \"p.h\"\n");
}

} // namespace
} // namespace vprof::instrument
