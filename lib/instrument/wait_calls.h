// Which library calls can block a thread: they become nodes of kind `wait`.
#pragma once

#include <string_view>

namespace vprof::instrument {

// `qualified_name` as Clang prints it; inline namespaces of the C++ library (std::__1::, std::__cxx11::) may
// be in it.
bool is_waiting_call(std::string_view qualified_name);

// setjmp and vfork under all their names: they may return a second time, after a jump over other functions.
bool returns_twice(std::string_view name);

// Functions that return twice, never return the usual way or own the caller's frame: never wrapped.
bool is_frame_bound_call(std::string_view name);

} // namespace vprof::instrument
