#include "vprof/vtree/run.h"

#include "vprof/vtree/error.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <utility>

namespace vprof::vtree {
namespace {

/// The *.vpt files of a folder, sorted.
llvm::Expected<std::vector<std::string>> traces_in(const std::string &folder) {
  std::vector<std::string> traces;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator entry(folder, code), end; entry != end && !code;
       entry.increment(code))
    if (llvm::sys::path::extension(entry->path()) == ".vpt")
      traces.push_back(entry->path());
  if (code)
    return bad_input("cannot read {}: {}", folder, code.message());
  std::sort(traces.begin(), traces.end());
  return traces;
}

std::string manifest_in(llvm::StringRef folder) {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, "manifest.json");
  return std::string(path);
}

/// `vprof run` was here: without a trace, the root was not called.
bool is_run_folder(llvm::ArrayRef<std::string> paths) {
  return paths.size() == 1 && llvm::sys::fs::exists(manifest_in(paths.front()));
}

llvm::Expected<std::vector<std::string>> all_traces(llvm::ArrayRef<std::string> paths) {
  std::vector<std::string> traces;
  for (const std::string &path : paths) {
    if (!llvm::sys::fs::is_directory(path)) {
      traces.push_back(path);
      continue;
    }
    llvm::Expected<std::vector<std::string>> found = traces_in(path);
    if (!found)
      return found.takeError();
    traces.insert(traces.end(), found->begin(), found->end());
  }
  if (traces.empty() && !is_run_folder(paths))
    return bad_input("no trace in {}: run the program with `vprof run`",
                     paths.empty() ? std::string("the run folder") : paths.front());
  return traces;
}

} // namespace

llvm::Expected<Run> make_run(Manifest manifest, std::vector<TraceFile> files) {
  Run run;
  run.manifest = std::move(manifest);
  for (TraceFile &file : files) {
    if (file.blank()) {
      run.warnings.push_back(
          fmt::format("{} is empty: its process ended before it recorded anything", file.name()));
      continue;
    }
    if (file.header().plan != run.manifest.plan)
      return bad_input(
          "trace {} was recorded by plan {:#x}, the manifest describes plan {:#x}: build and run again",
          file.name(), file.header().plan, run.manifest.plan);
    run.files.push_back(std::move(file));
  }
  return run;
}

llvm::Expected<Run> load_run(llvm::ArrayRef<std::string> paths, const std::string &manifest_path) {
  llvm::Expected<std::vector<std::string>> traces = all_traces(paths);
  if (!traces)
    return traces.takeError();
  std::vector<TraceFile> files;
  for (const std::string &trace : *traces) {
    llvm::Expected<TraceFile> file = TraceFile::open(trace);
    if (!file)
      return file.takeError();
    files.push_back(std::move(*file));
  }
  const llvm::StringRef folder =
      traces->empty() ? llvm::StringRef(paths.front()) : llvm::sys::path::parent_path(traces->front());
  llvm::Expected<Manifest> manifest =
      read_manifest(manifest_path.empty() ? manifest_in(folder) : manifest_path);
  if (!manifest)
    return manifest.takeError();
  llvm::Expected<Run> run = make_run(std::move(*manifest), std::move(files));
  if (run && traces->empty())
    run->warnings.push_back(
        "no trace was written: was the program built since `vprof instrument`, and did it "
        "call the root?");
  return run;
}

} // namespace vprof::vtree
