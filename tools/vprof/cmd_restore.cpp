#include "subcommand.h"

#include <vprof/instrument/instrumenter.h>

#include <fmt/format.h>

namespace vprof {
namespace {

class RestoreCommand : public Subcommand {
public:
  const char *name() const override { return "restore"; }
  const char *description() const override { return "Give every instrumented file back byte for byte"; }
  const char *usage() const override { return ""; }
  const char *long_help() const override {
    return "Works after a crash at any point. A file that was edited since keeps the edit and loses only the "
           "probes.\n"
           "Runs and reports in .vprof/runs stay; when they are no longer wanted, delete .vprof.\n";
  }
  void declare(OptionParser &) override {}
  llvm::Expected<int> run() override {
    llvm::Expected<instrument::Restored> restored = instrument::restore(".");
    if (!restored)
      return restored.takeError();
    fmt::print("{} files restored byte for byte\n", restored->files.size());
    for (const std::string &file : restored->edited)
      fmt::print("{}: your edit is kept, the probes are gone\n", file);
    return 0;
  }
};

} // namespace

std::unique_ptr<Subcommand> make_restore_command() {
  return std::make_unique<RestoreCommand>();
}

} // namespace vprof
