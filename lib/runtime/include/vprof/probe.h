/*
 * vprof probes. `vprof instrument` put the #include of this file into your source; `vprof restore` takes it
 * and every VPROF_... line out again, byte for byte. Nothing else in your tree or build was changed.
 *
 * What it does: a function that begins with VPROF_FN(id) reports its start and its end to the vprof runtime
 * while an interval (one unit of work of the profiled root function) is open in this thread.
 * What it costs: outside an interval, or when the program does not run under `vprof run`, one thread-local
 * load and one predicted branch per probe. Inside an interval, two clock reads and a few stores.
 *
 * This file includes nothing, so that it cannot change what your own headers mean. It is valid in C89..C23
 * and C++98..C++26 with gcc and clang. All references to the runtime are weak: a program that does not
 * contain the root function links as before, and its probes stay dormant.
 */
#ifndef VPROF_PROBE_H
#define VPROF_PROBE_H
#pragma GCC system_header

/* ---- what the rewriter inserts ---- */

/* After the opening brace of a measured function. `id` is the probe's number in .vprof/manifest.json.
 * Declarations only: they may stand before other declarations in C89. */
#define VPROF_FN(id) VPROF_I_SCOPE(id, vprof_i_open)

/* After the opening brace of the root function, or of the root loop's body. */
#define VPROF_ROOT(id) VPROF_I_ROOT_SCOPE(id)

/* After the opening brace of the idle function: closes the interval at its start, opens the next at its
 * return. */
#define VPROF_IDLE(id) VPROF_I_IDLE_SCOPE(id)

/* After the opening brace of a unit-begin or unit-end function. `condition` is evaluated in the function's
 * scope, and only while an interval is open. */
#define VPROF_UNIT_BEGIN(id)                                                                                 \
  const unsigned int VPROF_I_NAME(vprof_i_unit_, id) __attribute__((__unused__)) =                           \
      (VPROF_I_ARMED && vprof_i_unit_begin) ? vprof_i_unit_begin(id) : 0u
#define VPROF_UNIT_END(id, condition)                                                                        \
  const unsigned int VPROF_I_NAME(vprof_i_unit_, id) __attribute__((__unused__)) =                           \
      (VPROF_I_ARMED && vprof_i_unit_end && (condition)) ? vprof_i_unit_end(id) : 0u

/* Around a call whose callee has no body that could hold a probe: VPROF_CALL(id) callee(args) VPROF_END. The
 * value and type are those of the call; used only for calls of type void or scalar. */
#define VPROF_CALL(id) (__extension__({ VPROF_I_SCOPE(id, vprof_i_open);
#define VPROF_END                                                                                            \
  ;                                                                                                          \
  }))

/* Around a call of setjmp or sigsetjmp in a measured function whose probe has the same id:
 * VPROF_SETJMP(id) setjmp(env) VPROF_LANDED(id). Value and type are those of the call. When it returns for a
 * jump, the scopes jumped over end there and then; the runtime alone notices only jumps that leave the
 * function's frame, and later. */
#define VPROF_SETJMP(id) (__extension__({ const int VPROF_I_NAME(vprof_i_jump_, id) =
#define VPROF_LANDED(id)                                                                                     \
  ;                                                                                                          \
  vprof_i_landed(VPROF_I_NAME(vprof_i_scope_, id), VPROF_I_NAME(vprof_i_jump_, id));                         \
  VPROF_I_NAME(vprof_i_jump_, id);                                                                           \
  }))

/* ---- internals: names beginning with vprof_i_ and VPROF_I_ may change at any time ---- */

#define VPROF_I_NAME2(a, b) a##b
#define VPROF_I_NAME(a, b) VPROF_I_NAME2(a, b)

#ifdef __cplusplus
extern "C" {
#define VPROF_I_INLINE __inline__ __attribute__((__always_inline__, __artificial__))
#else
/* gnu_inline and not static: a static function may not be named in an external inline function (C99
 * 6.7.4). */
#define VPROF_I_INLINE extern __inline__ __attribute__((__gnu_inline__, __always_inline__, __artificial__))
#endif

/* 1 while an interval is open in this thread. Weakly defined everywhere, so that no unit depends on
 * another. */
__attribute__((__weak__, __visibility__("default"),
               __tls_model__("initial-exec"))) __thread unsigned int vprof_i_armed;
#define VPROF_I_ARMED __builtin_expect(vprof_i_armed != 0u, 0)

/* The runtime (vprof/runtime.h, in the unit that holds the root). Each enter returns a token for its leave, 0
 * if nothing was recorded. `vp_ret` and `vp_frame` are the return address and frame address of the probed
 * function. None of them changes errno. Parameters are prefixed because a host may have macros named id, ret
 * or frame. */
#define VPROF_I_REFERENCE __attribute__((__weak__, __visibility__("default")))
unsigned long vprof_i_enter(unsigned int vp_id, void *vp_ret, void *vp_frame) VPROF_I_REFERENCE;
void vprof_i_leave(unsigned long vp_token) VPROF_I_REFERENCE;
unsigned long vprof_i_root_enter(unsigned int vp_id, void *vp_ret, void *vp_frame) VPROF_I_REFERENCE;
void vprof_i_root_leave(unsigned long vp_token) VPROF_I_REFERENCE;
unsigned long vprof_i_idle_enter(unsigned int vp_id, void *vp_ret, void *vp_frame) VPROF_I_REFERENCE;
void vprof_i_idle_leave(unsigned long vp_token) VPROF_I_REFERENCE;
void vprof_i_land(unsigned long vp_token) VPROF_I_REFERENCE;
unsigned int vprof_i_unit_begin(unsigned int vp_id) VPROF_I_REFERENCE;
unsigned int vprof_i_unit_end(unsigned int vp_id) VPROF_I_REFERENCE;

VPROF_I_INLINE unsigned long vprof_i_open(unsigned int vp_id, void *vp_ret, void *vp_frame) {
  return VPROF_I_ARMED ? vprof_i_enter(vp_id, vp_ret, vp_frame) : 0ul;
}
VPROF_I_INLINE unsigned long vprof_i_open_root(unsigned int vp_id, void *vp_ret, void *vp_frame) {
  return vprof_i_root_enter ? vprof_i_root_enter(vp_id, vp_ret, vp_frame) : 0ul;
}
VPROF_I_INLINE unsigned long vprof_i_open_idle(unsigned int vp_id, void *vp_ret, void *vp_frame) {
  return vprof_i_idle_enter ? vprof_i_idle_enter(vp_id, vp_ret, vp_frame) : 0ul;
}
VPROF_I_INLINE void vprof_i_close(const unsigned long *vp_token) {
  if (__builtin_expect(*vp_token != 0ul, 0))
    vprof_i_leave(*vp_token);
}
VPROF_I_INLINE void vprof_i_landed(unsigned long vp_token, int vp_jump) {
  if (vp_jump != 0 && VPROF_I_ARMED)
    vprof_i_land(vp_token);
}
VPROF_I_INLINE void vprof_i_close_root(const unsigned long *vp_token) {
  if (*vp_token != 0ul)
    vprof_i_root_leave(*vp_token);
}
VPROF_I_INLINE void vprof_i_close_idle(const unsigned long *vp_token) {
  if (*vp_token != 0ul)
    vprof_i_idle_leave(*vp_token);
}

#ifdef __cplusplus
}
#endif

/* The cleanup attribute runs at every way out of the scope: return, goto, break, and exceptions where the
 * language has them. longjmp skips it; the runtime finds that by frame address. */
#define VPROF_I_SCOPE_OF(id, open_function, close_function)                                                  \
  const unsigned long VPROF_I_NAME(vprof_i_scope_, id)                                                       \
      __attribute__((__unused__, __cleanup__(close_function))) =                                             \
          open_function(id, __builtin_return_address(0), __builtin_frame_address(0))
#define VPROF_I_SCOPE(id, open_function) VPROF_I_SCOPE_OF(id, open_function, vprof_i_close)
#define VPROF_I_ROOT_SCOPE(id) VPROF_I_SCOPE_OF(id, vprof_i_open_root, vprof_i_close_root)
#define VPROF_I_IDLE_SCOPE(id) VPROF_I_SCOPE_OF(id, vprof_i_open_idle, vprof_i_close_idle)

#endif
