// What a command of vprof is. One file each, listed in main.cpp.
#pragma once

#include "option_parser.h"

#include <llvm/Support/Error.h>

#include <memory>
#include <string>
#include <vector>

namespace vprof {

class Subcommand {
public:
  virtual ~Subcommand() = default;
  virtual const char *name() const = 0;
  virtual const char *description() const = 0; // one line
  virtual const char *usage() const = 0;       // behind "vprof NAME"
  virtual const char *long_help() const { return ""; }
  virtual void declare(OptionParser &parser) = 0;
  // The exit code: 0 done, 1 a check found a regression; `run` passes on its command's. Errors become 2 (the
  // user's) or 3 (ours) in main.
  virtual llvm::Expected<int> run() = 0;
};

std::unique_ptr<Subcommand> make_instrument_command();
std::unique_ptr<Subcommand> make_restore_command();
std::unique_ptr<Subcommand> make_run_command();
std::unique_ptr<Subcommand> make_report_command();
std::unique_ptr<Subcommand> make_export_command();
std::unique_ptr<Subcommand> make_status_command();
std::unique_ptr<Subcommand> make_config_command();

} // namespace vprof
