/* Every probe, and the whole runtime, in one unit of C89 that is C++98 too, below macros that a host might
 * have. It is compiled, not run: see compile_matrix.sh. No header, so that it compiles for targets whose
 * headers are not here. */

#define cleanup 0
#define unused 0
#define weak 0
#define visibility 0
#define noinline 0
#define cold 0
#define always_inline 0
#define destructor 0
#define aligned 0
#define unlikely(x) nonsense x
#define likely(x) nonsense x
#define min(a, b) nonsense
#define length 1
#define line 2
#define version 3
#define flags 4
#define id 5
#define ret 6
#define frame 7
#define token 8
#define node 9
#define depth 10
#define start 11
#define size 12
#define file 13
#define name 14
#define kind 15
#define field 16
#define magic 17
#define pid 18
#define plan 19
#define reserved 20
#define attribute 21
#define condition 22
#define symbol 23
#define read nonsense
#define write nonsense
#define open nonsense
#define close nonsense
#define memset nonsense
#define errno nonsense
#define u32 nonsense
#define ticks nonsense
#define probe nonsense
#define root nonsense
/* Where they are keywords, clang warns of such macros. */
#if !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ <= 201710L)
#define bool nonsense
#define inline
#endif

#include "vprof/probe.h"

#ifdef __cplusplus
extern "C" {
#endif
extern int outside(int);
extern int set_jump(int);
#ifdef __cplusplus
}
#endif

static int leaf(int n) {
  VPROF_FN(0x00000002u);
  int twice;
  twice = n * 2;
  return twice;
}

static int waits(int n) {
  VPROF_IDLE(0x00000003u);
  return n;
}

static void begins(void) {
  VPROF_FN(0x00000004u);
  VPROF_UNIT_BEGIN(0x00000004u);
}

static int ends(int n) {
  VPROF_FN(0x00000005u);
  VPROF_UNIT_END(0x00000005u, n > 2);
  return n;
}

static int jumps(int n) {
  VPROF_FN(0x00000006u);
  if (VPROF_SETJMP(0x00000006u) set_jump(n) VPROF_LANDED(0x00000006u))
    return 1;
  return leaf(n);
}

int matrix(int n);
int matrix(int n) {
  int i, sum;
  sum = 0;
  for (i = 0; i < n; i++) {
    VPROF_ROOT(0x00000001u);
    if (i == 3)
      continue;
    begins();
    sum += leaf(i) + waits(i) + ends(i) + jumps(i);
    sum += VPROF_CALL(0x00000007u) outside(VPROF_CALL(0x00000008u) outside(i) VPROF_END) VPROF_END;
    if (sum > 1000)
      break;
  }
  return sum;
}

#define VPROF_I_PLAN 0x1234567890abcdeful
#define VPROF_I_ROOT_ID 0x00000001u
#define VPROF_I_ROOT_MODE                                                                                    \
  (VPROF_I_MODE_IDLE | VPROF_I_MODE_LOOP | VPROF_I_MODE_UNITS | VPROF_I_MODE_UNIT_BEGIN)
#include "vprof/runtime.h"
