// vprof: finds out why latency varies. This file knows the list of commands, their help and the exit codes.
#include "subcommand.h"

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>

#include <cstdio>

#ifndef VPROF_VERSION
#error "VPROF_VERSION comes from CMake"
#endif

namespace vprof {
namespace {

constexpr int exit_bad_input = 2;
constexpr int exit_internal = 3;

std::vector<std::unique_ptr<Subcommand>> all_commands() {
  std::vector<std::unique_ptr<Subcommand>> commands;
  commands.push_back(make_instrument_command());
  commands.push_back(make_run_command());
  commands.push_back(make_report_command());
  commands.push_back(make_restore_command());
  commands.push_back(make_status_command());
  commands.push_back(make_export_command());
  commands.push_back(make_config_command());
  return commands;
}

void print_help(const std::vector<std::unique_ptr<Subcommand>> &commands) {
  fmt::print(
      "vprof explains why the latency of a C or C++ program varies.\n\nusage: vprof COMMAND [OPTIONS]\n\n");
  for (const std::unique_ptr<Subcommand> &command : commands)
    fmt::print("  {:<12}{}\n", command->name(), command->description());
  fmt::print("\n`vprof COMMAND --help` tells more. Exit codes: 0 done, 1 a check found a regression, 2 wrong "
             "usage or "
             "input, 3 a failure of vprof itself.\n");
}

int fail(const std::string &command, llvm::Error error) {
  int code = exit_bad_input;
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &info) {
    if (info.convertToErrorCode() != std::errc::invalid_argument)
      code = exit_internal;
    fmt::print(stderr, "{}: {}\n", command, info.message());
  });
  return code;
}

int run_command(Subcommand &command, const std::vector<std::string> &arguments) {
  OptionParser parser;
  command.declare(parser);
  const std::string full_name = fmt::format("vprof {}", command.name());
  for (const std::string &argument : arguments) {
    if (argument == "--")
      break;
    if (argument == "--help" || argument == "-h") {
      fmt::print("usage: {} {}\n\n{}.\n\n{}", full_name, command.usage(), command.description(),
                 parser.help());
      if (*command.long_help())
        fmt::print("\n{}", command.long_help());
      return 0;
    }
  }
  if (llvm::Error error = parser.parse(arguments))
    return fail(full_name, std::move(error));
  llvm::Expected<int> status = command.run();
  return status ? *status : fail(full_name, status.takeError());
}

int main_with(const std::vector<std::string> &arguments) {
  const std::vector<std::unique_ptr<Subcommand>> commands = all_commands();
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    print_help(commands);
    return arguments.empty() ? exit_bad_input : 0;
  }
  if (arguments[0] == "--version") {
    fmt::print("vprof {}\n", VPROF_VERSION);
    return 0;
  }
  const Subcommand *nearest = nullptr;
  for (const std::unique_ptr<Subcommand> &command : commands) {
    if (arguments[0] == command->name())
      return run_command(*command, {arguments.begin() + 1, arguments.end()});
    if (llvm::StringRef(command->name()).edit_distance(arguments[0], true, 2) <= 2)
      nearest = command.get();
  }
  fmt::print(stderr, "vprof: unknown command {}: {}\n", arguments[0],
             nearest ? fmt::format("did you mean {}?", nearest->name()) : "see `vprof --help`");
  return exit_bad_input;
}

} // namespace
} // namespace vprof

int main(int argc, char **argv) {
  return vprof::main_with({argv + 1, argv + argc});
}
