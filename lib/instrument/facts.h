// What one parse of one translation unit found: functions with bodies in the tree, their calls and loops.
// Plain data, no Clang type, so that planning is a pure function of it and a parse can run in any thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace vprof::instrument {

// A place in a file of the tree. Offsets are bytes from the file's start, as Clang sees it.
struct Place {
  std::string file; // real path
  unsigned line = 0;
  unsigned offset = 0;
};

enum class CallKind {
  direct,   // a function declared by name
  virtual_, // dispatched: the callee named is the static one
  indirect  // through a pointer or a dependent name
};

struct Call {
  CallKind kind = CallKind::direct;
  std::string callee_usr;                  // empty for indirect calls
  std::string callee_name;                 // qualified, or the called expression's text
  std::vector<std::string> callee_symbols; // in object files; a constructor has several
  bool callee_inline_library = false;      // the body stands in a header outside the tree
  bool callee_cheap = false;               // a compiler builtin that only computes (strlen, memcpy, fabs ..)
  bool callee_waits = false;               // can block: lock, condition, I/O, sleep
  bool callee_returns = true;              // false: [[noreturn]]
  std::vector<std::string> overriders;     // USRs of methods in this unit that override the callee
  Place begin;                             // of the call expression; file empty if it comes out of a macro
  unsigned end_offset = 0;                 // one past its last byte
  std::string no_wrap;                     // why the call may not be wrapped; empty: it may
};

// A call of setjmp or the like, written where text may be put around it: a jump that lands there is told to
// the runtime.
struct Landing {
  Place begin;
  unsigned end_offset = 0; // one past its last byte
};

struct Loop {
  unsigned line = 0;     // of the loop statement
  Place body;            // of the body's `{`, or of its first byte
  bool compound = true;  // false: braces must be added
  unsigned body_end = 0; // one past the body's last byte, its `;` included (only if not compound)
  std::string refusal;
};

struct Function {
  std::string usr;                  // identity across units
  std::string name;                 // qualified
  std::vector<std::string> symbols; // in object files; none for a template
  bool internal = false;            // static or in an unnamed namespace
  Place start;                      // the function's name, for people
  Place body;                       // where a probe goes: just behind `{` and leading __label__ declarations
  std::string refusal;              // why no probe may be put there; empty: it may
  std::vector<Call> calls;
  std::vector<Loop> loops;
  std::vector<Landing> landings;
};

struct UnitFacts {
  std::string file; // main file, real path
  std::vector<Function> functions;
  std::vector<std::string> errors; // the compiler's, with file:line
};

} // namespace vprof::instrument
