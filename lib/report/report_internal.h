// The parts of the text report. Each returns lines that end in a newline.
#ifndef VPROF_REPORT_INTERNAL_H
#define VPROF_REPORT_INTERNAL_H

#include "vprof/report/render_text.h"

#include <optional>
#include <string>

namespace vprof::report {

/// A time in the unit that suits it: "812 ns", "1.53 us", "12.4 ms", "3.20 s".
std::string time_text(double ns);
/// A part of 1 as "12.3 %"; "-" if there is none.
std::string percent_text(const std::optional<double> &part);
/// "12.3 % +- 1.4"; the half width is in percentage points, "-" if there is no interval.
std::string percent_text(const std::optional<double> &part,
                         const std::optional<vtree::ConfidenceInterval> &interval);
std::string place_text(const std::string &file, unsigned line);
std::string site_text(const std::optional<vtree::SourceLocation> &site);
/// A count with commas between thousands.
std::string count_text(std::uint64_t count);
/// "1 thread", "2 threads".
std::string count_text(std::uint64_t count, const std::string &singular, const std::string &plural);

/// At most `width` columns: cut in the middle, where qualified names differ least.
std::string fit(const std::string &text, std::size_t width);
/// Breaks `text` at spaces into lines of at most `width` columns, each but the first indented by `indent`; a
/// word that is longer stays whole. Ends in a newline.
std::string wrap(const std::string &text, std::size_t width, std::size_t indent);
std::string pad_right(const std::string &text, std::size_t width);
std::string pad_left(const std::string &text, std::size_t width);

/// ANSI escapes if asked for, else the bare text.
class Style {
public:
  explicit Style(bool colour) : colour_(colour) {}
  [[nodiscard]] std::string heading(const std::string &text) const { return escape("1", text); }
  [[nodiscard]] std::string strong(const std::string &text) const { return escape("1;31", text); }
  [[nodiscard]] std::string faint(const std::string &text) const { return escape("2", text); }
  [[nodiscard]] std::string warning(const std::string &text) const { return escape("33", text); }

private:
  [[nodiscard]] std::string escape(const char *code, const std::string &text) const;
  bool colour_;
};

std::string render_summary(const vtree::Report &report, const TextOptions &options);
std::string render_factors(const vtree::Report &report, const TextOptions &options);
std::string render_tree(const vtree::Report &report, const TextOptions &options);
std::string render_quality(const vtree::Report &report, const TextOptions &options);

} // namespace vprof::report

#endif
