#include "report_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace vprof::report {
namespace {

/// Columns that UTF-8 text takes, without regard to wide characters: names of functions are narrow.
std::size_t columns_of(const std::string &text) {
  std::size_t columns = 0;
  for (const char byte : text)
    columns += (static_cast<unsigned char>(byte) & 0xc0) != 0x80 ? 1 : 0;
  return columns;
}

} // namespace

std::string time_text(double ns) {
  struct Unit {
    const char *name;
    double ns;
  };
  constexpr std::array<Unit, 4> units{{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
  const double magnitude = std::abs(ns);
  const Unit *unit = &units[0];
  for (const Unit &larger : units)
    if (magnitude >= 0.9995 * larger.ns)
      unit = &larger;
  const double value = ns / unit->ns;
  const double digits_before = std::abs(value);
  const int decimals = digits_before >= 99.95 ? 0 : digits_before >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f} {}", value == 0 ? 0.0 : value, decimals, unit->name);
}

std::string percent_text(const std::optional<double> &part) {
  if (!part)
    return "-";
  const double percent = 100 * *part;
  return fmt::format("{:.1f} %", std::abs(percent) < 0.05 ? 0.0 : percent);
}

std::string percent_text(const std::optional<double> &part,
                         const std::optional<vtree::ConfidenceInterval> &interval) {
  if (!part)
    return "-";
  const std::string half = interval ? fmt::format("{:.1f}", 50 * (interval->high - interval->low)) : "?";
  return percent_text(part) + " +- " + half;
}

std::string place_text(const std::string &file, unsigned line) {
  return line == 0 ? file : fmt::format("{}:{}", file, line);
}

std::string site_text(const std::optional<vtree::SourceLocation> &site) {
  return site ? place_text(site->file, site->line) : "";
}

std::string count_text(std::uint64_t count) {
  std::string digits = fmt::format("{}", count);
  for (std::size_t i = digits.size(); i > 3; i -= 3)
    digits.insert(i - 3, 1, ',');
  return digits;
}

std::string count_text(std::uint64_t count, const std::string &singular, const std::string &plural) {
  return count_text(count) + " " + (count == 1 ? singular : plural);
}

std::string fit(const std::string &text, std::size_t width) {
  if (columns_of(text) <= width || width < 5)
    return text;
  const std::size_t kept = width - 2;
  const std::size_t front = kept / 3;
  return text.substr(0, front) + ".." + text.substr(text.size() - (kept - front));
}

std::string wrap(const std::string &text, std::size_t width, std::size_t indent) {
  std::string wrapped;
  std::string line;
  std::size_t at = text.find_first_not_of(' ');
  line.assign(at == std::string::npos ? 0 : at, ' ');
  bool line_has_word = false;
  while (at != std::string::npos) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (line_has_word && columns_of(line) + 1 + columns_of(word) > width) {
      wrapped.append(line).push_back('\n');
      line.assign(indent, ' ');
      line_has_word = false;
    }
    if (line_has_word)
      line.push_back(' ');
    line += word;
    line_has_word = true;
    at = text.find_first_not_of(' ', end);
  }
  wrapped.append(line).push_back('\n');
  return wrapped;
}

std::string pad_right(const std::string &text, std::size_t width) {
  const std::size_t columns = columns_of(text);
  return columns >= width ? text : text + std::string(width - columns, ' ');
}

std::string pad_left(const std::string &text, std::size_t width) {
  const std::size_t columns = columns_of(text);
  return columns >= width ? text : std::string(width - columns, ' ') + text;
}

std::string Style::escape(const char *code, const std::string &text) const {
  return colour_ ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

} // namespace vprof::report
