#include "output.h"
#include "paths.h"
#include "subcommand.h"

#include <vprof/report/render_text.h>
#include <vprof/select/rank.h>
#include <vprof/vtree/analyze.h>

#include <fmt/format.h>

#include <unistd.h>

namespace vprof {
namespace {

class ReportCommand : public Subcommand {
public:
  const char *name() const override { return "report"; }
  const char *description() const override { return "Say which functions make the latency vary"; }
  const char *usage() const override { return "[RUN|FILE..] [-k N] [--format text|json] [-o FILE]"; }
  void declare(OptionParser &parser) override {
    parser.positional("[RUN|FILE..]", inputs_, "run folders or trace files (default: the newest run here)");
    parser.number("top", 'k', rank_.k, "N", "how many factors to list (default 5)");
    parser.value("threshold", 0, threshold_, "PERCENT",
                 "least part of the root's variance of a factor (default 1)");
    parser.value("score", 0, score_, "paper|share|tail", "how factors are ranked (default paper)");
    parser.value("format", 0, format_, "text|json", "default text");
    parser.value("output", 'o', output_, "FILE", "write there instead of to standard output");
    parser.value("manifest", 0, manifest_, "FILE", "default: manifest.json beside the first trace");
    parser.number("width", 0, width_, "N", "columns of the text (default: the terminal's, or 100)");
    parser.flag("next", 0, next_,
                "print only what to give to `vprof instrument --functions` for the next round");
    parser.flag("no-probe-correction", 0, no_correction_, "do not subtract the probes' own cost");
  }

  llvm::Expected<int> run() override {
    if (llvm::Error error = check_options())
      return error;
    if (inputs_.empty()) {
      llvm::Expected<std::string> newest = newest_run(absolute_path("."));
      if (!newest)
        return newest.takeError();
      inputs_.push_back(*newest);
    }
    llvm::Expected<vtree::Run> run = vtree::load_run(inputs_, manifest_);
    if (!run)
      return run.takeError();
    vtree::AnalyzeOptions analyze;
    analyze.subtract_probe_cost = !no_correction_;
    llvm::Expected<vtree::Report> report = vtree::analyze(*run, analyze);
    if (!report)
      return report.takeError();
    select::rank_into(*report, rank_);
    const std::string text = next_ ? next_functions(*run, *report) : text_of(*report);
    if (llvm::Error error = write_output(output_, text))
      return error;
    return 0;
  }

private:
  llvm::Error check_options() {
    if (format_ != "text" && format_ != "json")
      return usage_error(fmt::format("--format: {} is unknown: text or json", format_));
    const std::optional<select::ScoreMode> score = select::score_mode_from_name(score_);
    if (!score)
      return usage_error(fmt::format("--score: {} is unknown: paper, share or tail", score_));
    rank_.score = *score;
    double percent = 0;
    if (llvm::StringRef(threshold_).getAsDouble(percent) || !(percent >= 0 && percent <= 100))
      return usage_error(fmt::format("--threshold: {} is not a percentage", threshold_));
    rank_.threshold = percent / 100;
    if (rank_.k == 0)
      return usage_error("--top: 0 factors would be listed: give at least 1");
    return llvm::Error::success();
  }

  // What is expanded already and what the factors add, as FILE:NAME so that nothing is ambiguous.
  static std::string next_functions(const vtree::Run &run, const vtree::Report &report) {
    std::vector<std::string> names;
    for (const vtree::Probe &probe : run.manifest.probes())
      if (probe.expanded && probe.kind == vtree::ProbeKind::function)
        names.push_back(fmt::format("{}:{}", probe.file, probe.function));
    for (const select::Expansion &expansion : select::refine_plan(report, report.factors))
      names.push_back(fmt::format("{}:{}", expansion.file, expansion.function));
    return fmt::format("{}\n", fmt::join(names, ","));
  }

  std::string text_of(const vtree::Report &report) const {
    if (format_ == "json")
      return vtree::to_json(report);
    report::TextOptions options;
    const bool terminal = output_.empty() && isatty(STDOUT_FILENO);
    options.colour = terminal && !std::getenv("NO_COLOR");
    options.width = width_ ? width_ : terminal_width(terminal);
    return report::render_text(report, options);
  }

  std::vector<std::string> inputs_;
  select::Options rank_;
  std::string threshold_ = "1";
  std::string score_ = "paper";
  std::string format_ = "text";
  std::string output_;
  std::string manifest_;
  unsigned width_ = 0;
  bool next_ = false;
  bool no_correction_ = false;
};

} // namespace

std::unique_ptr<Subcommand> make_report_command() {
  return std::make_unique<ReportCommand>();
}

} // namespace vprof
