// Addresses of a recorded process -> the source line of a call.
#ifndef VPROF_VTREE_SYMBOLIZER_H
#define VPROF_VTREE_SYMBOLIZER_H

#include "vprof/vtree/statistics.h"
#include "vprof/vtree/trace_reader.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace vprof::vtree {

/// One executable mapping of a process.
struct Mapping {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t file_offset = 0; // of `begin`
  std::string path;
};

/// Parses lines as in /proc/PID/maps; lines that are not are skipped. Later lists win where they overlap (a
/// library loaded where another one was).
class ModuleMap {
public:
  ModuleMap() = default;
  explicit ModuleMap(const TraceFile &file);
  void add(llvm::StringRef maps_text);

  /// The mapping that holds `address`, or null.
  [[nodiscard]] const Mapping *find(std::uint64_t address) const;
  [[nodiscard]] std::uint64_t recorded_realtime_ns() const { return recorded_realtime_ns_; }

private:
  std::vector<Mapping> mappings_;
  std::uint64_t recorded_realtime_ns_ = 0; // 0: unknown
};

/// Finds call sites. Answers are remembered, so asking again for the same addresses is cheap.
class Symbolizer {
public:
  /// `tree`: paths below it are shown relative to it.
  explicit Symbolizer(std::string tree);
  ~Symbolizer();

  /// Where the function that holds `probe_address` was called from.
  ///
  /// If that function is inlined there, the call is the line that its outer inline frame stands at; else it
  /// is the line of the call before `return_address`. Frames of the probe macros themselves are passed over.
  /// Without debug information: file "MODULE+0xADDRESS" (an address that does not depend on where the module
  /// was loaded), line 0.
  SourceLocation call_site(const ModuleMap &modules, std::uint64_t return_address,
                           std::uint64_t probe_address);

  /// Modules in which an address had no line.
  [[nodiscard]] const std::set<std::string> &modules_without_lines() const { return without_lines_; }
  /// Modules whose file is younger than the recording: their lines may be wrong.
  [[nodiscard]] const std::set<std::string> &modules_changed() const { return changed_; }

private:
  struct Module;
  struct Frames;

  Module &module(const ModuleMap &modules, const std::string &path);
  const Frames &frames(Module &module, std::uint64_t virtual_address);
  SourceLocation shown(const SourceLocation &location) const;

  struct State;
  std::string tree_;
  std::string real_tree_; // tree_ with symbolic links resolved
  std::unique_ptr<State> state_;
  std::set<std::string> without_lines_;
  std::set<std::string> changed_;
};

} // namespace vprof::vtree

#endif
