/* The body of a loop as the root; every way for a pass to end. */
#include "vprof/probe.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
static volatile int sink;
static jmp_buf restart;

static NOINLINE int leaf(int n) {
  VPROF_FN(2u);
  sink += n;
  return n;
}

static NOINLINE int nested(int n) {
  VPROF_FN(3u);
  if (n == 7)
    longjmp(restart, 1);
  return leaf(n);
}

/* Ten passes. */
static int forms(int how) {
  int i = 0;
  while (i < 10) {
    VPROF_ROOT(1u);
    i++;
    (void)leaf(i);
    if (i % 3 == 0)
      continue;
    if (i == 10 && how == 0)
      break;
    if (i == 10 && how == 1)
      goto out;
    if (i == 10 && how == 2)
      return leaf(5);
    (void)leaf(i);
  }
  return leaf(6); /* outside */
out:
  return leaf(7); /* outside */
}

/* Twelve passes, of which the eighth is left by longjmp to the head of the loop. */
static int jumps(void) {
  static volatile int i;
  if (setjmp(restart))
    sink++;
  while (i < 12) {
    VPROF_ROOT(1u);
    (void)nested(i++);
    (void)leaf(i);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 99;
  if (strcmp(argv[1], "jumps") == 0)
    return jumps();
  return forms(argv[1][0] - '0') < 0;
}

#define VPROF_I_PLAN 0x1234567890abcdeful
#define VPROF_I_ROOT_ID 1u
#define VPROF_I_ROOT_MODE VPROF_I_MODE_LOOP
#include "vprof/runtime.h"
