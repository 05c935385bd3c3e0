/* Transactions of several invocations. With UNITS_BEGIN a begin marker is needed, else any invocation will
 * do. */
#include "vprof/probe.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
static volatile int sink;

static NOINLINE void begin(void) {
  VPROF_FN(2u);
  VPROF_UNIT_BEGIN(2u);
  sink++;
}

static NOINLINE void work(void) {
  VPROF_FN(3u);
  sink++;
}

static NOINLINE void commit(int really) {
  VPROF_FN(4u);
  VPROF_UNIT_END(4u, really != 0);
  sink++;
}

/* A letter is a statement: b(egin), w(ork), c(ommit), f(ailed commit, which ends nothing), n(othing), k:
 * commit and chain, that is end and begin at once. */
static NOINLINE void dispatch(char statement) {
  VPROF_ROOT(1u);
  if (statement == 'b')
    begin();
  else if (statement == 'w')
    work();
  else if (statement == 'c' || statement == 'k')
    commit(1);
  else if (statement == 'f')
    commit(0);
  if (statement == 'k')
    begin();
}

int main(int argc, char **argv) {
  const char *statement;
  if (argc != 2)
    return 99;
  for (statement = argv[1]; *statement; statement++) {
    if (*statement == '_')
      usleep(20000); /* outside the root: no part of any unit */
    else
      dispatch(*statement);
  }
  return 0;
}

#define VPROF_I_PLAN 0x1234567890abcdeful
#define VPROF_I_ROOT_ID 1u
#ifdef UNITS_BEGIN
#define VPROF_I_ROOT_MODE (VPROF_I_MODE_UNITS | VPROF_I_MODE_UNIT_BEGIN)
#else
#define VPROF_I_ROOT_MODE VPROF_I_MODE_UNITS
#endif
#include "vprof/runtime.h"
