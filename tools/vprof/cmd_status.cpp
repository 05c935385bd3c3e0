#include "subcommand.h"

#include <vprof/instrument/instrumenter.h>

#include <fmt/format.h>

namespace vprof {
namespace {

void list(const char *what, const std::vector<std::string> &files) {
  if (files.empty())
    return;
  fmt::print("{} {}:\n", files.size(), what);
  for (const std::string &file : files)
    fmt::print("  {}\n", file);
}

class StatusCommand : public Subcommand {
public:
  const char *name() const override { return "status"; }
  const char *description() const override { return "Say what is instrumented in this tree"; }
  const char *usage() const override { return ""; }
  void declare(OptionParser &) override {}
  llvm::Expected<int> run() override {
    llvm::Expected<instrument::Status> status = instrument::status(".");
    if (!status)
      return status.takeError();
    if (!status->instrumented) {
      fmt::print("not instrumented\n");
      return 0;
    }
    if (status->plan.empty())
      fmt::print("an instrument command did not finish: run it again, or `vprof restore`\n");
    else
      fmt::print("root {}, plan {}, {} probes, {} calls not measured\n", status->root, status->plan,
                 status->probes, status->unmeasured);
    list("files hold probes", status->files);
    list("files were edited since", status->edited);
    list("files are gone since", status->missing);
    return 0;
  }
};

} // namespace

std::unique_ptr<Subcommand> make_status_command() {
  return std::make_unique<StatusCommand>();
}

} // namespace vprof
