#include "option_parser.h"

#include <fmt/format.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

namespace vprof {

llvm::Error usage_error(const std::string &message) {
  return llvm::createStringError(std::errc::invalid_argument, "%s", message.c_str());
}

void OptionParser::flag(const std::string &name, char letter, bool &target, const std::string &help) {
  add({name, letter, "", help, [&target](const std::string &) {
         target = true;
         return llvm::Error::success();
       }});
}

void OptionParser::value(const std::string &name, char letter, std::string &target,
                         const std::string &metavar, const std::string &help) {
  add({name, letter, metavar, help, [&target](const std::string &text) {
         target = text;
         return llvm::Error::success();
       }});
}

void OptionParser::number(const std::string &name, char letter, unsigned &target, const std::string &metavar,
                          const std::string &help) {
  add({name, letter, metavar, help, [&target, name](const std::string &text) -> llvm::Error {
         unsigned parsed = 0;
         if (llvm::StringRef(text).getAsInteger(10, parsed))
           return usage_error(fmt::format("--{}: \"{}\" is not a whole number", name, text));
         target = parsed;
         return llvm::Error::success();
       }});
}

void OptionParser::list(const std::string &name, char letter, std::vector<std::string> &target,
                        const std::string &metavar, const std::string &help, bool split) {
  add({name, letter, metavar, help, [&target, split](const std::string &text) {
         llvm::SmallVector<llvm::StringRef> parts;
         llvm::StringRef(text).split(parts, ',', split ? -1 : 0, /*KeepEmpty=*/false);
         for (const llvm::StringRef part : parts)
           target.push_back(part.str());
         return llvm::Error::success();
       }});
}

void OptionParser::positional(const std::string &metavar, std::vector<std::string> &target,
                              const std::string &help) {
  positional_metavar_ = metavar;
  positional_help_ = help;
  positional_ = &target;
}

void OptionParser::command(std::vector<std::string> &target) {
  command_ = &target;
}

llvm::Error OptionParser::unknown(const std::string &argument) const {
  const Option *nearest = nullptr;
  unsigned best = 4;
  for (const Option &option : options_) {
    const unsigned distance =
        llvm::StringRef(fmt::format("--{}", option.name)).edit_distance(argument, true, best);
    if (distance < best) {
      best = distance;
      nearest = &option;
    }
  }
  return usage_error(nearest ? fmt::format("unknown option {}: did you mean --{}?", argument, nearest->name)
                             : fmt::format("unknown option {}: see --help", argument));
}

llvm::Expected<const OptionParser::Option *>
OptionParser::find(const std::string &argument, std::string &inline_value, bool &has_inline_value) const {
  const bool is_long = argument.starts_with("--");
  const std::size_t equals = is_long ? argument.find('=') : std::string::npos;
  has_inline_value = equals != std::string::npos || (!is_long && argument.size() > 2);
  if (has_inline_value)
    inline_value = argument.substr(equals != std::string::npos ? equals + 1 : 2);
  for (const Option &option : options_) {
    if (is_long ? argument.substr(2, equals == std::string::npos ? equals : equals - 2) == option.name
                : argument[1] == option.letter)
      return &option;
  }
  return unknown(equals == std::string::npos ? argument : argument.substr(0, equals));
}

llvm::Error OptionParser::parse(const std::vector<std::string> &arguments) const {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    if (argument == "--") {
      std::vector<std::string> *rest = command_ ? command_ : positional_;
      if (!rest && i + 1 < arguments.size())
        return usage_error(fmt::format("left-over argument {}: see --help", arguments[i + 1]));
      if (rest)
        rest->insert(rest->end(), arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, arguments.end());
      return llvm::Error::success();
    }
    if (argument.size() < 2 || argument[0] != '-') {
      if (!positional_)
        return usage_error(command_
                               ? fmt::format("left-over argument {}: put -- before the command", argument)
                               : fmt::format("left-over argument {}: see --help", argument));
      positional_->push_back(argument);
      continue;
    }
    std::string value;
    bool has_value = false;
    llvm::Expected<const Option *> option = find(argument, value, has_value);
    if (!option)
      return option.takeError();
    const bool takes_value = !(*option)->metavar.empty();
    if (!takes_value && has_value)
      return usage_error(fmt::format("--{} takes no value", (*option)->name));
    if (takes_value && !has_value) {
      if (++i == arguments.size())
        return usage_error(
            fmt::format("--{} needs a value: --{} {}", (*option)->name, (*option)->name, (*option)->metavar));
      value = arguments[i];
    }
    if (llvm::Error error = (*option)->set(value))
      return error;
  }
  return llvm::Error::success();
}

std::string OptionParser::help() const {
  std::string text;
  const auto add_line = [&](const std::string &left, const std::string &right) {
    text += left.size() <= 28 ? fmt::format("  {:<28}  {}\n", left, right)
                              : fmt::format("  {}\n  {:<28}  {}\n", left, "", right);
  };
  for (const Option &option : options_) {
    std::string left = option.letter ? fmt::format("-{}, ", option.letter) : "    ";
    left += fmt::format("--{}{}{}", option.name, option.metavar.empty() ? "" : " ", option.metavar);
    add_line(left, option.help);
  }
  if (positional_)
    add_line(fmt::format("    {}", positional_metavar_), positional_help_);
  return text;
}

} // namespace vprof
