#include "paths.h"
#include "subcommand.h"

#include <fmt/format.h>

namespace vprof {
namespace {

class ConfigCommand : public Subcommand {
public:
  const char *name() const override { return "config"; }
  const char *description() const override { return "Print where the runtime's headers are"; }
  const char *usage() const override { return "--cflags"; }
  void declare(OptionParser &parser) override {
    parser.flag("cflags", 0, cflags_, "compiler flags for a program that includes <vprof/probe.h> itself");
  }
  llvm::Expected<int> run() override {
    if (!cflags_)
      return usage_error("nothing asked for: give --cflags");
    fmt::print("-I{}\n", runtime_include_dir());
    return 0;
  }

private:
  bool cflags_ = false;
};

} // namespace

std::unique_ptr<Subcommand> make_config_command() {
  return std::make_unique<ConfigCommand>();
}

} // namespace vprof
