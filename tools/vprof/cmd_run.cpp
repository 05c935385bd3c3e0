#include "paths.h"
#include "subcommand.h"

#include <fmt/format.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <nlohmann/json.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fstream>

namespace vprof {
namespace {

volatile std::sig_atomic_t child_pid = 0;

extern "C" void forward_signal(int signal) {
  if (child_pid > 0)
    kill(static_cast<pid_t>(child_pid), signal);
}

// Ctrl-C reaches the program through the terminal; what is sent to vprof alone is passed on. Either way vprof
// stays to tell what was recorded.
void prepare_signals() {
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGINT, &ignore, nullptr);
  sigaction(SIGQUIT, &ignore, nullptr);
  struct sigaction forward{};
  forward.sa_handler = forward_signal;
  sigaction(SIGTERM, &forward, nullptr);
  sigaction(SIGHUP, &forward, nullptr);
}

struct Traces {
  std::size_t files = 0;
  std::uint64_t bytes = 0;
};

Traces traces_in(const std::string &folder) {
  Traces traces;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(folder, error), end; it != end && !error; it.increment(error)) {
    llvm::sys::fs::file_status status;
    if (!llvm::StringRef(it->path()).ends_with(".vpt") || llvm::sys::fs::status(it->path(), status))
      continue;
    ++traces.files;
    traces.bytes += status.getSize();
  }
  return traces;
}

class RunCommand : public Subcommand {
public:
  const char *name() const override { return "run"; }
  const char *description() const override { return "Run the instrumented program and record its intervals"; }
  const char *usage() const override { return "[-o DIR] -- CMD..."; }
  const char *long_help() const override {
    return "CMD gets VPROF_DIR in its environment; every process it starts that holds the root writes one "
           "trace file "
           "there.\nThe exit code is that of CMD (128 + N if signal N ended it).\n";
  }
  void declare(OptionParser &parser) override {
    parser.value("output", 'o', folder_, "DIR", "run folder (default: the next number in .vprof/runs)");
    parser.value("tree", 0, tree_, "DIR", "root of the instrumented tree (default: here)");
    parser.command(command_);
  }

  llvm::Expected<int> run() override {
    if (command_.empty())
      return usage_error("no command: vprof run -- CMD...");
    tree_ = absolute_path(tree_);
    const std::string manifest = tree_ + "/.vprof/manifest.json";
    if (!llvm::sys::fs::exists(manifest))
      return usage_error(fmt::format("{}: not instrumented: run `vprof instrument` there first", tree_));
    if (llvm::Error error = prepare_folder(manifest))
      return error;
    const std::time_t start = std::time(nullptr);
    llvm::Expected<int> status = execute();
    if (!status)
      return status;
    if (llvm::Error error = note_run(start, *status))
      return error;
    const Traces traces = traces_in(folder_);
    fmt::print(stderr, "vprof: {} trace files, {:.1f} MB in {}\n", traces.files,
               static_cast<double>(traces.bytes) / 1e6, folder_);
    if (traces.files == 0)
      fmt::print(
          stderr,
          "vprof: nothing was recorded: was the program built since `vprof instrument`, and did it call "
          "the root?\n");
    return *status;
  }

private:
  llvm::Error prepare_folder(const std::string &manifest) {
    if (folder_.empty()) {
      llvm::Expected<std::string> next = make_next_run(tree_);
      if (!next)
        return next.takeError();
      folder_ = *next;
    } else if (std::error_code error = llvm::sys::fs::create_directories(folder_)) {
      return usage_error(fmt::format("{}: cannot be made: {}", folder_, error.message()));
    }
    folder_ = absolute_path(folder_);
    if (traces_in(folder_).files > 0)
      return usage_error(
          fmt::format("{}: holds traces of an earlier run already: choose another folder", folder_));
    if (std::error_code error = llvm::sys::fs::copy_file(manifest, folder_ + "/manifest.json"))
      return usage_error(fmt::format("{}: cannot be written: {}", folder_, error.message()));
    return llvm::Error::success();
  }

  llvm::Expected<int> execute() {
    std::vector<char *> arguments;
    for (std::string &argument : command_)
      arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    const pid_t pid = fork();
    if (pid < 0)
      return llvm::createStringError(std::errc::resource_unavailable_try_again, "cannot start a process: %s",
                                     std::strerror(errno));
    if (pid == 0) {
      setenv("VPROF_DIR", folder_.c_str(), 1);
      execvp(arguments[0], arguments.data());
      fmt::print(stderr, "vprof run: {}: {}\n", command_[0], std::strerror(errno));
      _exit(errno == ENOENT ? 127 : 126);
    }
    child_pid = static_cast<std::sig_atomic_t>(pid);
    prepare_signals();
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

  llvm::Error note_run(std::time_t start, int status) const {
    const nlohmann::ordered_json json = {{"schema", "vprof.run/1"},
                                         {"command", command_},
                                         {"start_unix_s", start},
                                         {"end_unix_s", std::time(nullptr)},
                                         {"exit_code", status}};
    std::ofstream file(folder_ + "/run.json");
    file << json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
    if (!file.flush())
      return usage_error(fmt::format("{}/run.json: cannot be written", folder_));
    return llvm::Error::success();
  }

  std::string folder_;
  std::string tree_ = ".";
  std::vector<std::string> command_;
};

} // namespace

std::unique_ptr<Subcommand> make_run_command() {
  return std::make_unique<RunCommand>();
}

} // namespace vprof
