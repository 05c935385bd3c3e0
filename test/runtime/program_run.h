// Runs a test program under the recorder, as `vprof run` would: VPROF_DIR names a fresh folder.
#ifndef VPROF_TEST_RUNTIME_PROGRAM_RUN_H
#define VPROF_TEST_RUNTIME_PROGRAM_RUN_H

#include "trace_facts.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vprof::runtime {

/// A way the programs are compiled, as in their file names: "gcc.O0", "clangxx.O2".
struct Variant {
  std::string name;
};
void PrintTo(const Variant &variant, std::ostream *out);

/// The variants that were built.
std::vector<Variant> variants();
std::string variant_name(const testing::TestParamInfo<Variant> &info);

struct ProgramRun {
  int status = 0; // exit status, 128 + signal if it was ended by one
  RunFacts facts;
};

/// Path of a built program, or of the plugin.
std::string program_path(const std::string &program, const Variant &variant);

/// Runs it with one argument and further environment ("NAME=value"), and reads what was recorded.
ProgramRun run_program(const std::string &program, const Variant &variant, const std::string &argument,
                       const std::vector<std::string> &environment = {});

} // namespace vprof::runtime

#endif
