#include "paths.h"
#include "subcommand.h"

#include <vprof/report/facts.h>

#include <fmt/format.h>
#include <llvm/Support/raw_ostream.h>

namespace vprof {
namespace {

class ExportCommand : public Subcommand {
public:
  const char *name() const override { return "export"; }
  const char *description() const override { return "Print a run's measurements for other programs"; }
  const char *usage() const override { return "--format facts [RUN|FILE..] [-o FILE]"; }
  void declare(OptionParser &parser) override {
    parser.positional("[RUN|FILE..]", inputs_, "run folders or trace files (default: the newest run here)");
    parser.value("format", 0, format_, "facts", "facts: every interval with the calls in it, as JSON");
    parser.value("output", 'o', output_, "FILE", "write there instead of to standard output");
    parser.value("manifest", 0, manifest_, "FILE", "default: manifest.json beside the first trace");
  }
  llvm::Expected<int> run() override {
    if (format_ != "facts")
      return usage_error(fmt::format("--format: {}: give `facts`", format_.empty() ? "is missing" : format_));
    if (inputs_.empty()) {
      llvm::Expected<std::string> newest = newest_run(absolute_path("."));
      if (!newest)
        return newest.takeError();
      inputs_.push_back(*newest);
    }
    llvm::Expected<vtree::Run> run = vtree::load_run(inputs_, manifest_);
    if (!run)
      return run.takeError();
    std::error_code error;
    llvm::raw_fd_ostream stream(output_.empty() ? "-" : output_, error);
    if (error)
      return usage_error(fmt::format("{}: cannot be written: {}", output_, error.message()));
    if (llvm::Error failed = report::export_facts(*run, stream))
      return failed;
    return 0;
  }

private:
  std::vector<std::string> inputs_;
  std::string format_;
  std::string output_;
  std::string manifest_;
};

} // namespace

std::unique_ptr<Subcommand> make_export_command() {
  return std::make_unique<ExportCommand>();
}

} // namespace vprof
