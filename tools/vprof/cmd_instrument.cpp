#include "paths.h"
#include "subcommand.h"

#include <vprof/instrument/instrumenter.h>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>

namespace vprof {
namespace {

// FN or FN:EXPR; `::` belongs to the name.
instrument::UnitEnd parse_unit_end(const std::string &text) {
  for (std::size_t at = text.find(':'); at != std::string::npos; at = text.find(':', at + 1)) {
    if (text.compare(at, 2, "::") == 0) {
      ++at;
      continue;
    }
    return {text.substr(0, at), text.substr(at + 1)};
  }
  return {text, ""};
}

class InstrumentCommand : public Subcommand {
public:
  const char *name() const override { return "instrument"; }
  const char *description() const override {
    return "Put probes into a root function and the children of chosen functions";
  }
  const char *usage() const override {
    return "--root FN [--loop LINE | --idle FN] [--unit-begin FN] [--unit-end FN[:EXPR]] [--functions FN,..] "
           "[-p BUILD_DIR]";
  }
  const char *long_help() const override {
    return "Run it in the root of the source tree, then build as always. FN is a name, a qualified name, or "
           "FILE:NAME.\n"
           "An interval, the unit whose latency is explained, is one call of the root; one pass of the loop "
           "that begins "
           "on\nLINE; from one call of the idle function to the next; or, with unit functions, all of these "
           "until the "
           "unit ends.\nNo line changes its number, and `vprof restore` gives every file back byte for "
           "byte.\n";
  }

  void declare(OptionParser &parser) override {
    parser.value("root", 0, request_.root, "FN", "the function whose latency is explained");
    parser.number("loop", 0, request_.loop_line, "LINE",
                  "the root is the loop of FN that begins on this line");
    parser.value("loop-label", 0, request_.loop_label, "NAME", "how reports name that loop");
    parser.list("idle", 0, request_.idle, "FN,..",
                "functions in which a root that never returns waits for work");
    parser.list("unit-begin", 0, request_.unit_begin, "FN,..",
                "functions that begin a unit of several root calls");
    parser.list("unit-end", 0, unit_end_, "FN[:EXPR]",
                "function that ends a unit, when EXPR holds at its entry; repeatable",
                /*split=*/false);
    parser.list("functions", 0, request_.functions, "FN,..", "measure the children of these functions too");
    parser.flag("all", 0, request_.all, "probe every function instead of the root's children");
    parser.positional("[PATH..]", request_.all_paths, "with --all: only below these files and folders");
    parser.value("build-dir", 'p', request_.build_dir, "DIR", "folder with compile_commands.json");
    parser.number("jobs", 'j', request_.jobs, "N", "parallel parses (default: one per processor)");
    parser.flag("verbose", 'v', verbose_, "list every call that is not measured, with the reason");
  }

  llvm::Expected<int> run() override {
    if (request_.root.empty())
      return usage_error("--root is missing: name the function whose latency is to be explained");
    if (!request_.all && !request_.all_paths.empty())
      return usage_error(
          fmt::format("left-over argument {}: paths go with --all", request_.all_paths.front()));
    if (request_.loop_line && !request_.idle.empty())
      return usage_error("--loop and --idle exclude each other: a loop's pass is the interval already");
    for (const std::string &text : unit_end_)
      request_.unit_end.push_back(parse_unit_end(text));
    if (!request_.unit_begin.empty() && request_.unit_end.empty())
      return usage_error("--unit-begin needs --unit-end: without it a unit never ends");
    request_.tree = ".";
    request_.runtime_dir = runtime_include_dir();
    request_.resource_dir = clang_resource_dir();
    if (isatty(STDERR_FILENO))
      request_.progress = [](const std::string &line) { fmt::print(stderr, "vprof: {}\n", line); };
    llvm::Expected<instrument::Outcome> outcome = instrument::instrument(request_);
    if (!outcome)
      return outcome.takeError();
    print(*outcome);
    return 0;
  }

private:
  void print(const instrument::Outcome &outcome) const {
    fmt::print("{} functions probed, {} calls wrapped, in {} files ({} changed just now); plan {}\n",
               outcome.functions_probed, outcome.calls_wrapped, outcome.files_probed.size(),
               outcome.files_changed.size(), outcome.plan);
    for (const std::string &file : outcome.files_changed)
      fmt::print("  {}\n", file);
    if (!outcome.refused.empty())
      fmt::print("{} calls are not measured and stay in their caller's rest:\n", outcome.refused.size());
    if (verbose_) {
      for (const instrument::Refusal &refusal : outcome.refused)
        fmt::print("  {}:{}: {}: {}\n", refusal.file, refusal.line, refusal.function, refusal.reason);
    } else {
      std::map<std::string, std::size_t> reasons;
      for (const instrument::Refusal &refusal : outcome.refused)
        ++reasons[refusal.reason];
      for (const auto &[reason, count] : reasons)
        fmt::print("  {:>4}  {}\n", count, reason);
    }
    fmt::print("Now build as always, then: vprof run -- YOUR PROGRAM\n");
  }

  instrument::Request request_;
  std::vector<std::string> unit_end_;
  bool verbose_ = false;
};

} // namespace

std::unique_ptr<Subcommand> make_instrument_command() {
  return std::make_unique<InstrumentCommand>();
}

} // namespace vprof
