#include "compile_db.h"

#include <gtest/gtest.h>

namespace vprof::instrument {
namespace {

using Arguments = std::vector<std::string>;

TEST(ClangArguments, LaunchersAndOutputsGo) {
  EXPECT_EQ(clang_arguments({"/usr/bin/ccache", "gcc", "-O2", "-c", "-o", "x.o", "-MD", "-MF", "x.d", "x.c"}),
            (Arguments{"clang", "-O2", "x.c"}));
}

TEST(ClangArguments, CxxCompilersStayCxx) {
  EXPECT_EQ(clang_arguments({"/usr/bin/x86_64-linux-gnu-g++-12", "-std=c++20", "x.c"}),
            (Arguments{"clang++", "-std=c++20", "x.c"}));
}

TEST(ClangArguments, GccOnlyOptionsGo) {
  EXPECT_EQ(clang_arguments({"gcc", "-fno-ipa-cp-clone", "-Wall", "-DX=\"a b\"", "x.c"}),
            (Arguments{"clang", "-Wall", "-DX=\"a b\"", "x.c"}));
}

TEST(ClangArguments, DefinesAndIncludesStayLiteral) {
  const Arguments arguments = {"clang", "-include",   "config.h", "-DVERSION=\\\"7.1\\\"",
                               "-I",    "../include", "x.c"};
  EXPECT_EQ(clang_arguments(arguments), arguments);
}

TEST(ClangArguments, NothingFromNothing) {
  EXPECT_TRUE(clang_arguments({}).empty());
}

} // namespace
} // namespace vprof::instrument
