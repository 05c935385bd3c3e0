#include "program_run.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <ostream>

namespace vprof::runtime {
namespace {

/// A folder that lives as long as this object.
class ScratchFolder {
public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "vprof-runtime-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr)
      path_ = pattern;
  }
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::string &path() const { return path_; }

private:
  std::string path_;
};

[[noreturn]] void become(const std::string &path, const std::string &argument,
                         const std::vector<std::string> &environment) {
  for (const std::string &setting : environment)
    putenv(const_cast<char *>(setting.c_str()));
  execl(path.c_str(), path.c_str(), argument.c_str(), static_cast<char *>(nullptr));
  _exit(127);
}

} // namespace

void PrintTo(const Variant &variant, std::ostream *out) {
  *out << variant.name;
}

std::vector<Variant> variants() {
  std::vector<Variant> found;
  std::error_code ignored;
  const std::string prefix = "plain.";
  for (const auto &entry : std::filesystem::directory_iterator(VPROF_TEST_PROGRAMS, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind(prefix, 0) == 0)
      found.push_back({name.substr(prefix.size())});
  }
  std::sort(found.begin(), found.end(), [](const Variant &a, const Variant &b) { return a.name < b.name; });
  return found;
}

std::string variant_name(const testing::TestParamInfo<Variant> &info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

std::string program_path(const std::string &program, const Variant &variant) {
  return std::string(VPROF_TEST_PROGRAMS) + "/" + program + "." + variant.name;
}

ProgramRun run_program(const std::string &program, const Variant &variant, const std::string &argument,
                       const std::vector<std::string> &environment) {
  const ScratchFolder folder;
  std::vector<std::string> settings{"VPROF_DIR=" + folder.path()};
  settings.insert(settings.end(), environment.begin(), environment.end());
  const pid_t child = fork();
  if (child == 0)
    become(program_path(program, variant), argument, settings);
  ProgramRun run;
  int status = 0;
  waitpid(child, &status, 0);
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run.facts = read_run(folder.path());
  return run;
}

} // namespace vprof::runtime
