// A small scanner of the top of a file, line by line: it must tell blank lines from lines inside comments,
// follow #if nesting and spliced lines, and stop at the first line that holds anything but comments and
// directives.
#include "include_point.h"

#include <fmt/format.h>

#include <optional>

namespace vprof::instrument {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

struct Line {
  std::size_t begin = 0;
  std::string_view text; // without its end of line
};

// The part of `text` outside comments; `in_comment` goes from line to line.
std::string outside_comments(std::string_view text, bool &in_comment) {
  std::string outside;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view two = text.substr(i, 2);
    if (in_comment) {
      if (two == "*/") {
        in_comment = false;
        ++i;
      }
    } else if (two == "/*") {
      in_comment = true;
      ++i;
    } else if (two == "//") {
      break;
    } else {
      outside.push_back(text[i]);
    }
  }
  return outside;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\f\v");
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(" \t\r\f\v") - first + 1);
}

// The word behind `#`, or empty if the line is no directive.
std::string_view directive_name(std::string_view line) {
  if (line.starts_with("%:"))
    line.remove_prefix(2);
  else if (line.starts_with("#"))
    line.remove_prefix(1);
  else
    return {};
  line = trimmed(line);
  const std::size_t end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
  return end == 0 ? std::string_view("line") : line.substr(0, end); // `# 12 "file"` is a #line
}

std::string_view argument(std::string_view line, std::string_view name) {
  const std::size_t at = line.find(name);
  return at == std::string_view::npos ? line : trimmed(line.substr(at + name.size()));
}

class TopScanner {
public:
  explicit TopScanner(std::string_view content) : content_(content) {}

  void run() {
    std::size_t at = content_.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    end_of_region_ = at;
    end_line_ = 1;
    unsigned number = 1;
    while (at < content_.size()) {
      const std::size_t end = content_.find('\n', at);
      if (end == std::string_view::npos)
        return; // a last line without end cannot take a directive
      if (!step({at, content_.substr(at, end - at)}))
        return;
      at = end + 1;
      ++number;
      if (!in_comment_ && !spliced_ && depth_ <= guard_depth_ && !seen_line_) {
        end_of_region_ = at;
        end_line_ = number;
      }
    }
  }

  std::optional<std::size_t> blank() const { return blank_; }
  std::size_t end_of_region() const {
    return end_of_region_;
  } // start of a line that a directive may go before
  unsigned end_line() const { return end_line_; }

private:
  // False when the line belongs to the program proper.
  bool step(const Line &line) {
    const bool started_in_comment = in_comment_;
    const bool continues = spliced_;
    const std::string outside = outside_comments(line.text, in_comment_);
    const std::string_view code = trimmed(outside);
    spliced_ = trimmed(line.text).ends_with('\\');
    if (code.empty()) {
      if (!started_in_comment && !continues && trimmed(line.text).empty() && depth_ <= guard_depth_)
        blank_ = line.begin;
      return true;
    }
    if (continues)
      return true; // the rest of a directive, or of a comment
    const std::string_view name = directive_name(code);
    if (name.empty())
      return false;
    follow(name, code);
    return true;
  }

  void follow(std::string_view name, std::string_view code) {
    ++directives_;
    if (name == "if" || name == "ifdef" || name == "ifndef") {
      ++depth_;
      if (directives_ == 1 && name == "ifndef")
        guard_ = argument(code, name);
    } else if (name == "endif") {
      --depth_;
    } else if (name == "define" && directives_ == 2 && !guard_.empty() &&
               argument(code, name).starts_with(guard_)) {
      guard_depth_ = 1;
    } else if (name == "line") {
      seen_line_ = true;
    }
  }

  std::string_view content_;
  bool in_comment_ = false;
  bool spliced_ = false;
  bool seen_line_ = false;
  int depth_ = 0;
  int guard_depth_ = 0;
  int directives_ = 0;
  std::string guard_;
  std::optional<std::size_t> blank_;
  std::size_t end_of_region_ = 0;
  unsigned end_line_ = 1;
};

} // namespace

Insertion include_insertion(std::string_view content, const std::string &directive) {
  TopScanner scanner(content);
  scanner.run();
  if (scanner.blank())
    return {static_cast<unsigned>(*scanner.blank()), -2, directive};
  return {static_cast<unsigned>(scanner.end_of_region()), -2,
          fmt::format("{}\n#line {}\n", directive, scanner.end_line())};
}

Insertion last_line_insertion(std::string_view content, const std::string &directive) {
  const bool ended = content.empty() || content.ends_with('\n');
  return {static_cast<unsigned>(content.size()), 2, (ended ? "" : "\n") + directive + "\n"};
}

} // namespace vprof::instrument
