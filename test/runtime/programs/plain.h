/* What the scenarios of plain*.c share: a small measured program, with probes where the rewriter would put
 * them. Valid in C and C++. */
#ifndef PLAIN_H
#define PLAIN_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "vprof/probe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
enum { ROOT = 1, MIDDLE = 2, LEAF = 3, OTHER = 4, HANDLER = 5 };

extern volatile int sink;
int leaf(int n);
int middle(int n);
int root(int n);

typedef int (*scenario_function)(void);
struct scenario {
  const char *name;
  scenario_function run; /* returns 0 when the program behaved as it should */
};
extern const struct scenario ordinary_scenarios[];
extern const struct scenario jump_scenarios[];
extern const struct scenario process_scenarios[];
extern const struct scenario host_scenarios[];

static inline int run_roots(int count) {
  int i, bad = 0;
  for (i = 0; i < count; i++)
    bad |= root(i) != 4 * i + 2;
  return bad;
}

#endif
