// Call sites of this very program: its mapping and debug information are the test data.
#include "vprof/vtree/symbolizer.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace vprof::vtree {
namespace {

struct Addresses {
  std::uint64_t return_address = 0;
  std::uint64_t probe_address = 0;
};

std::uint64_t address(const void *pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

/// Stands for vprof_i_enter: its return address is inside the probed function.
__attribute__((noinline)) std::uint64_t vprof_i_test_enter() {
  asm volatile("");
  return address(__builtin_return_address(0));
}

__attribute__((noinline)) Addresses called_function() {
  Addresses addresses{address(__builtin_return_address(0)), 0};
  addresses.probe_address = vprof_i_test_enter();
  asm volatile("" ::: "memory");
  return addresses;
}

__attribute__((always_inline)) inline Addresses inlined_function() {
  Addresses addresses{address(__builtin_return_address(0)), 0};
  addresses.probe_address = vprof_i_test_enter();
  asm volatile("" ::: "memory");
  return addresses;
}

constexpr unsigned call_line = __LINE__ + 3;
__attribute__((noinline)) Addresses calls_it() {
  asm volatile("");
  const Addresses addresses = called_function();
  asm volatile("" ::: "memory");
  return addresses;
}

constexpr unsigned inline_line = __LINE__ + 3;
__attribute__((noinline)) Addresses inlines_it() {
  asm volatile("");
  const Addresses addresses = inlined_function();
  asm volatile("" ::: "memory");
  return addresses;
}

ModuleMap own_modules() {
  std::stringstream text;
  text << std::ifstream("/proc/self/maps").rdbuf();
  ModuleMap modules;
  modules.add(text.str());
  return modules;
}

std::string folder_of_this_file() {
  const std::string file = __FILE__;
  return file.substr(0, file.rfind('/'));
}

TEST(Symbolizer, CallAndInlineCopy) {
  Symbolizer symbolizer(folder_of_this_file());
  const ModuleMap modules = own_modules();
  const Addresses called = calls_it();
  const SourceLocation call = symbolizer.call_site(modules, called.return_address, called.probe_address);
  EXPECT_EQ(call, (SourceLocation{"symbolizer_test.cpp", call_line}));
  const Addresses inlined = inlines_it();
  EXPECT_EQ(symbolizer.call_site(modules, inlined.return_address, inlined.probe_address),
            (SourceLocation{"symbolizer_test.cpp", inline_line}));
  EXPECT_EQ(symbolizer.call_site(modules, called.return_address, called.probe_address), call);
  EXPECT_TRUE(symbolizer.modules_without_lines().empty());
}

TEST(Symbolizer, WithoutDebugInformation) {
  Symbolizer symbolizer("/src");
  ModuleMap modules;
  modules.add("10000-20000 r-xp 00003000 08:01 5   /nonexistent/lib with space.so\nnot a mapping\n\n");
  EXPECT_EQ(symbolizer.call_site(modules, 0x10011, 0x10021),
            (SourceLocation{"lib with space.so+0x3010", 0})); // the byte before, less begin, plus offset
  EXPECT_EQ(symbolizer.call_site(modules, 0x30000, 0x30010), (SourceLocation{"0x2ffff", 0}));
  EXPECT_EQ(symbolizer.modules_without_lines(),
            (std::set<std::string>{"(unknown)", "/nonexistent/lib with space.so"}));
}

TEST(ModuleMap, LaterMappingsWin) {
  ModuleMap modules;
  modules.add("1000-3000 r-xp 0 08:01 5 /old.so\n");
  modules.add("2000-3000 r-xp 0 08:01 5 /new.so\n");
  EXPECT_EQ(modules.find(0x1fff)->path, "/old.so");
  EXPECT_EQ(modules.find(0x2000)->path, "/new.so");
  EXPECT_EQ(modules.find(0x3000), nullptr);
}

} // namespace
} // namespace vprof::vtree
