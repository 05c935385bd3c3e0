/* A function as the root. The scenario is named on the command line. */
#include "plain.h"

volatile int sink;

NOINLINE int leaf(int n) {
  VPROF_FN(3u);
  sink += n;
  return n * 2;
}

NOINLINE int middle(int n) {
  VPROF_FN(2u);
  return leaf(n) + leaf(n + 1);
}

NOINLINE int root(int n) {
  VPROF_ROOT(1u);
  return middle(n);
}

static int find_and_run(const struct scenario *list, const char *name) {
  for (; list->name; list++)
    if (strcmp(list->name, name) == 0)
      return list->run();
  return -1;
}

int main(int argc, char **argv) {
  const struct scenario *lists[4];
  int i, result = -1;
  lists[0] = ordinary_scenarios;
  lists[1] = jump_scenarios;
  lists[2] = process_scenarios;
  lists[3] = host_scenarios;
  for (i = 0; i < 4 && result < 0 && argc == 2; i++)
    result = find_and_run(lists[i], argv[1]);
  if (result < 0)
    fprintf(stderr, "no such scenario\n");
  return result < 0 ? 99 : result;
}

#define VPROF_I_PLAN 0x1234567890abcdeful
#define VPROF_I_ROOT_ID 1u
#define VPROF_I_ROOT_MODE 0
#include "vprof/runtime.h"
