// The runtime's parts in a test's own unit, with prefixed fields, as in a profiled program.
#ifndef VPROF_TEST_UNIT_RUNTIME_GUEST_H
#define VPROF_TEST_UNIT_RUNTIME_GUEST_H

#define VPROF_I_PLAN 0x1122334455667788ul
#define VPROF_I_ROOT_ID 1u
#define VPROF_I_ROOT_MODE 0u
#include "vprof/runtime.h"

#include <memory>

/// A recorder of its own, not this thread's.
struct RecorderDeleter {
  void operator()(vprof_i_recorder *recorder) const { vprof_i_destroy_recorder(recorder); }
};
using Recorder = std::unique_ptr<vprof_i_recorder, RecorderDeleter>;

inline void *address(unsigned long value) {
  return reinterpret_cast<void *>(value);
}

#endif
