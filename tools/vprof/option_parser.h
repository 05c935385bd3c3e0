// Command-line options of one subcommand: declared once, parsed and listed in the help from the same
// declarations.
#pragma once

#include <llvm/Support/Error.h>

#include <functional>
#include <string>
#include <vector>

namespace vprof {

// An error of the user's: one line, exit code 2.
llvm::Error usage_error(const std::string &message);

class OptionParser {
public:
  // `name` without dashes, `letter` 0 for none. Targets keep their value when the option is not given.
  void flag(const std::string &name, char letter, bool &target, const std::string &help);
  void value(const std::string &name, char letter, std::string &target, const std::string &metavar,
             const std::string &help);
  // A whole number; anything else is an error that shows it.
  void number(const std::string &name, char letter, unsigned &target, const std::string &metavar,
              const std::string &help);
  // May be given several times; every value may hold several, separated by commas if `split`.
  void list(const std::string &name, char letter, std::vector<std::string> &target,
            const std::string &metavar, const std::string &help, bool split = true);
  // Arguments that are no options. Without this call they are refused.
  void positional(const std::string &metavar, std::vector<std::string> &target, const std::string &help);
  // Everything behind `--`. Without this call `--` only ends the options.
  void command(std::vector<std::string> &target);

  // Accepts --name VALUE, --name=VALUE, -l VALUE and -lVALUE. Errors: unknown option (the nearest is named),
  // a missing or bad value, a left-over argument.
  llvm::Error parse(const std::vector<std::string> &arguments) const;

  // One line per option.
  std::string help() const;

private:
  struct Option {
    std::string name;
    char letter;
    std::string metavar; // empty: takes no value
    std::string help;
    std::function<llvm::Error(const std::string &)> set;
  };
  void add(Option option) { options_.push_back(std::move(option)); }
  llvm::Expected<const Option *> find(const std::string &argument, std::string &inline_value,
                                      bool &has_inline_value) const;
  llvm::Error unknown(const std::string &argument) const;

  std::vector<Option> options_;
  std::string positional_metavar_;
  std::string positional_help_;
  std::vector<std::string> *positional_ = nullptr;
  std::vector<std::string> *command_ = nullptr;
};

} // namespace vprof
