#include "vprof/vtree/symbolizer.h"

#include "llvm/ADT/SmallVector.h"

#include <utility>

namespace vprof::vtree {
namespace {

/// "begin-end perms offset dev inode path" -> a mapping; false if the line has another form or no path.
bool parse_line(llvm::StringRef line, Mapping &mapping) {
  std::pair<llvm::StringRef, llvm::StringRef> rest = line.split(' ');
  const auto [begin, end] = rest.first.split('-');
  rest = rest.second.ltrim().split(' '); // permissions
  rest = rest.second.ltrim().split(' ');
  const llvm::StringRef offset = rest.first;
  rest = rest.second.ltrim().split(' '); // device
  rest = rest.second.ltrim().split(' '); // inode
  const llvm::StringRef path = rest.second.trim();
  if (begin.getAsInteger(16, mapping.begin) || end.getAsInteger(16, mapping.end) ||
      offset.getAsInteger(16, mapping.file_offset) || mapping.begin >= mapping.end || path.empty())
    return false;
  mapping.path = path.str();
  return true;
}

} // namespace

ModuleMap::ModuleMap(const TraceFile &file) : recorded_realtime_ns_(file.header().first_realtime_ns) {
  for (const llvm::StringRef list : file.module_lists())
    add(list);
}

void ModuleMap::add(llvm::StringRef maps_text) {
  llvm::SmallVector<llvm::StringRef, 64> lines;
  maps_text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (const llvm::StringRef line : lines) {
    Mapping mapping;
    if (parse_line(line, mapping))
      mappings_.push_back(std::move(mapping));
  }
}

const Mapping *ModuleMap::find(std::uint64_t address) const {
  for (auto mapping = mappings_.rbegin(); mapping != mappings_.rend(); ++mapping)
    if (mapping->begin <= address && address < mapping->end)
      return &*mapping;
  return nullptr;
}

} // namespace vprof::vtree
