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
  if (traces.empty())
    return bad_input("no trace in {}: run the program with `vprof run`",
                     paths.empty() ? std::string("the run folder") : paths.front());
  return traces;
}

std::string manifest_beside(const std::string &trace) {
  llvm::SmallString<256> path(llvm::sys::path::parent_path(trace));
  llvm::sys::path::append(path, "manifest.json");
  return std::string(path);
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
  llvm::Expected<Manifest> manifest =
      read_manifest(manifest_path.empty() ? manifest_beside(traces->front()) : manifest_path);
  if (!manifest)
    return manifest.takeError();
  return make_run(std::move(*manifest), std::move(files));
}

} // namespace vprof::vtree
