/*
 * The vprof runtime, in source form. `vprof instrument` had it included at the end of the source file that
 * defines the profiled root function, through the generated plan.h; `vprof restore` takes that line out
 * again. docs/runtime.md explains what it does and what it costs.
 *
 * It is compiled as part of that file, after its headers and macros, with its flags: C89..C23 or
 * C++98..C++26. So it includes no header but its own parts, and every name is prefixed. Nothing happens
 * before the root is entered for the first time, and nothing more than a look at the environment then, unless
 * VPROF_DIR is set.
 *
 * plan.h defines, before it includes this file:
 *     VPROF_I_PLAN       fingerprint of the plan (unsigned long)
 *     VPROF_I_ROOT_ID    probe id of the root (unsigned int)
 *     VPROF_I_ROOT_MODE  bits VPROF_I_MODE_.. (runtime/base.h), 0 for an ordinary root function
 *     VPROF_I_LINKED     (optional) the program links libvprof_rt.a: only these three values are defined here
 */
#ifndef VPROF_RUNTIME_H
#define VPROF_RUNTIME_H
#pragma GCC system_header
#include "probe.h"
#include "runtime/base.h"
#include "runtime/plan.h"

/* On other targets there is no runtime, and all probes stay dormant. */
#if defined(__linux__) && defined(__LP64__) && (defined(__x86_64__) || defined(__aarch64__))
#ifndef VPROF_I_LINKED
#include "runtime/probes.h"
#endif
#endif

#endif
