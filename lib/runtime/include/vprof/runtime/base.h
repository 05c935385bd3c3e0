/*
 * Words the other parts are written in: attributes, integer types, limits, and the state that is shared
 * between threads. Every name is prefixed (vprof_i_, VPROF_I_; vp_ for fields, parameters and locals), since
 * the host's macros are in force here.
 */
#ifndef VPROF_I_BASE_H
#define VPROF_I_BASE_H
#pragma GCC system_header

#define VPROF_I_GUEST 1
#include "../trace_format.h"

/* ---- attributes ---- */

#ifdef __has_attribute
#define VPROF_I_HAS(attribute) __has_attribute(attribute)
#else
#define VPROF_I_HAS(attribute) 0
#endif

/* The runtime must be invisible to the host's instrumentation: it reads stack slots and memory which no
 * sanitizer knows, and counters of coverage or profiling builds would be shared cache lines in the hot
 * path. */
#if defined(__clang__)
#define VPROF_I_UNSANITIZED                                                                                  \
  __no_sanitize__("address", "hwaddress", "thread", "memory", "undefined", "coverage", "cfi")
#else
#define VPROF_I_UNSANITIZED __no_sanitize_address__, __no_sanitize_thread__, __no_sanitize_undefined__
#endif
#if VPROF_I_HAS(__no_stack_protector__)
#define VPROF_I_UNPROTECTED , __no_stack_protector__
#else
#define VPROF_I_UNPROTECTED
#endif
#if VPROF_I_HAS(__no_profile_instrument_function__)
#define VPROF_I_UNPROFILED , __no_profile_instrument_function__
#else
#define VPROF_I_UNPROFILED
#endif
#if VPROF_I_HAS(__disable_sanitizer_instrumentation__)
#define VPROF_I_UNCHECKED , __disable_sanitizer_instrumentation__
#else
#define VPROF_I_UNCHECKED
#endif
#define VPROF_I_PLAIN                                                                                        \
  __no_instrument_function__, VPROF_I_UNSANITIZED VPROF_I_UNPROTECTED VPROF_I_UNPROFILED VPROF_I_UNCHECKED

/* A probe: found by name from every unit; weak, because the unit may be linked twice. */
#define VPROF_I_PROBE __attribute__((__weak__, __visibility__("default"), __noinline__, VPROF_I_PLAIN))
/* On the hot path, short: part of the probe even at -O0. */
#define VPROF_I_HOT static __inline__ __attribute__((__always_inline__, __unused__, VPROF_I_PLAIN))
/* Ordinary helper, and a helper that a probe must not carry in its own body. */
#define VPROF_I_HELPER static __attribute__((__unused__, VPROF_I_PLAIN))
#define VPROF_I_COLD static __attribute__((__unused__, __cold__, __noinline__, VPROF_I_PLAIN))
/* Variables of the whole program. */
#define VPROF_I_SHARED __attribute__((__weak__, __visibility__("default")))
/* A function of the host's C library that may be missing. */
#define VPROF_I_LIBC(symbol) __asm__(symbol) __attribute__((__weak__, __visibility__("default")))

#define VPROF_I_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define VPROF_I_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
/* Orders this thread's accesses as seen by its own signal handlers. */
#define VPROF_I_SIGNAL_FENCE() __atomic_signal_fence(__ATOMIC_SEQ_CST)

/* ---- limits ---- */

enum {
  VPROF_I_PAGE = 4096,
  VPROF_I_PATH_MAX = 1024,
  VPROF_I_RANGES_MAX = 2048,        /* executable mappings remembered; past them none counts as new */
  VPROF_I_FIRST_CHUNK = 16384,      /* a thread that records little takes little of the disk */
  VPROF_I_USUAL_CHUNK = 262144,     /* doubling ends here */
  VPROF_I_LARGEST_CHUNK = 16777216, /* for one interval's record */
  VPROF_I_FAILURES_MAX = 16,        /* refused chunks in a row after which the process stops recording */
  VPROF_I_NEAR = 65536,   /* a return-address slot is read only this close above the current frame */
  VPROF_I_DEPTH_BITS = 24 /* of a token; the rest numbers the pushes of a thread */
};
#define VPROF_I_DEPTH_MASK ((1ul << VPROF_I_DEPTH_BITS) - 1ul)
#define VPROF_I_FAR (8l << 20) /* frames further apart than this lie on different stacks */
#define VPROF_I_DEFAULT_LIMIT (4ul << 30)
#define VPROF_I_REFRESH_NS 100000000ul /* age at which the header's second clock reading is renewed */

/* Bits of VPROF_I_ROOT_MODE; 0: every invocation of the root function is an interval. */
#define VPROF_I_MODE_IDLE 1u       /* intervals lie between calls of an idle function, inside the root */
#define VPROF_I_MODE_LOOP 2u       /* the root's scope is the body of a loop */
#define VPROF_I_MODE_UNITS 4u      /* invocations add up until a unit-end marker fires */
#define VPROF_I_MODE_UNIT_BEGIN 8u /* .. and only those from a unit-begin marker on */

/* ---- state of the process ---- */

/* State that a forked child must not inherit. It lies in pages that the kernel hands to the child zeroed
 * (MADV_WIPEONFORK), whichever system call made the child, so the child finds itself "not begun": no cookie,
 * no file, nothing locked. */
struct vprof_i_process {
  unsigned long vp_cookie;  /* never 0 once the file exists; differs between processes */
  unsigned int vp_locked;   /* guards everything below but the counters; taken with all signals blocked */
  unsigned int vp_stopped;  /* 1: too many failures, this process records no more */
  unsigned int vp_failures; /* chunks refused in a row */
  unsigned int vp_threads;  /* thread indices given out */
  unsigned int vp_module_chunks;
  unsigned int vp_ranges;
  struct vprof_file_header *vp_header;          /* mapped first page of the file, 0: none yet */
  unsigned long vp_dropped[VPROF_DROP_REASONS]; /* counted before there was a header */
  char vp_path[VPROF_I_PATH_MAX + 64];
  unsigned long vp_range[VPROF_I_RANGES_MAX]
                        [2]; /* executable mappings: first address, address after the last */
  char vp_line[4608];        /* a line of /proc/self/maps, or a setting being read */
  char vp_block[VPROF_I_PAGE];
};

/* State that is the same in every descendant: decided once, before it is published in vprof_i_home. */
struct vprof_i_family {
  struct vprof_i_process *vp_process;
  unsigned long vp_limit_bytes;
  unsigned long vp_refresh_ticks;
  unsigned int vp_clock_source;
  unsigned int vp_wipe_failed; /* 1: no MADV_WIPEONFORK (Linux < 4.14), so compare vp_pid instead */
  unsigned int vp_pid;
  unsigned int vp_key_valid;
  unsigned int vp_key;
  unsigned long vp_first_ticks;
  unsigned long vp_first_monotonic_ns;
  unsigned long vp_first_realtime_ns;
  unsigned long vp_last_ticks;
  unsigned long vp_last_monotonic_ns;
  unsigned long vp_cost_q8; /* 0: not yet calibrated */
  unsigned long vp_inside_q8;
  char vp_folder[VPROF_I_PATH_MAX];
};

/* 0: not decided, VPROF_I_OFF: VPROF_DIR is not set, else where the family's state is. */
VPROF_I_SHARED struct vprof_i_family *vprof_i_home;
#define VPROF_I_OFF ((struct vprof_i_family *)1)

#endif
