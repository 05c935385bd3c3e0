// The build's own object files: who defines a symbol, who calls whom. Reading 900 objects takes a second or
// two where parsing their sources would take minutes.
#pragma once

#include "call_graph.h"
#include "compile_db.h"

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace vprof::instrument {

struct ObjectIndex {
  // Symbol -> commands (indices) whose object defines it: external ones, and internal ones under their plain
  // name too.
  std::unordered_map<std::string, std::vector<std::size_t>> definers;
  // Vertices are symbols; an internal function of object i is "symbol@i" (see internal_vertex).
  CallGraph graph;
  std::size_t objects_read = 0;
};

// Vertex name of a function with internal linkage in the object of command `command`.
std::string internal_vertex(const std::string &symbol, std::size_t command);

// gcc's clones (foo.part.0, foo.isra.0, foo.cold) are pieces of foo. Pure.
std::string without_clone_suffix(const std::string &symbol);

// Reads every command's object that exists and is ELF for x86-64 or aarch64; others are passed over: a tree
// need not be built. Calls through pointers are not in the graph. `jobs` 0: one per processor.
ObjectIndex index_objects(const std::vector<CompileCommand> &commands, unsigned jobs);

} // namespace vprof::instrument
