/* Processes: fork in all its forms, and every way to end. */
#include "plain.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int wait_for(pid_t child) {
  int status;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

/* Workers run intervals of their own, before and after the parent's. */
static int fork_outside(void) {
  int i, bad = run_roots(10);
  for (i = 0; i < 3; i++) {
    pid_t child = fork();
    if (child == 0) {
      bad = run_roots(10 + i);
      if (i == 0)
        _exit(bad);
      if (i == 1)
        exit(bad);
      return bad;
    }
    bad |= wait_for(child);
  }
  return bad || run_roots(5);
}

static NOINLINE pid_t forking_root(int raw) {
  VPROF_ROOT(1u);
  pid_t child;
  (void)leaf(1);
  child = raw ? (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : fork();
  (void)leaf(2);
  return child;
}

/* The child's copy of the open interval is dropped, its later ones are its own. */
static int fork_in_interval(int raw) {
  pid_t child = forking_root(raw);
  if (child == 0)
    _exit(run_roots(7));
  return wait_for(child) || run_roots(5);
}
static int fork_inside(void) {
  return fork_in_interval(0);
}
static int fork_raw(void) {
  return fork_in_interval(1);
}

static NOINLINE void in_vfork_child(int n) {
  VPROF_FN(4u);
  if (leaf(n) == 2 * n)
    _exit(9);
}

static NOINLINE int vfork_root(int n) {
  VPROF_ROOT(1u);
  pid_t child = VPROF_SETJMP(1u) vfork() VPROF_LANDED(1u);
  if (child == 0)
    in_vfork_child(n);
  return wait_for(child) + leaf(n);
}

/* The child of vfork works on the parent's memory and never comes back from the functions it enters. */
static int vfork_inside(void) {
  int i, bad = 0;
  for (i = 0; i < 5; i++)
    bad |= vfork_root(i) != 9 + 2 * i;
  return bad;
}

static NOINLINE void ending_root(int how) {
  VPROF_ROOT(1u);
  (void)leaf(1);
  if (how == 0)
    exit(0);
  if (how == 1)
    _exit(0);
  if (how == 2)
    kill(getpid(), SIGKILL);
  abort();
}

static int end_by(int how) {
  if (run_roots(50))
    return 1;
  ending_root(how);
  return 2;
}
static int exit_inside(void) {
  return end_by(0);
}
static int underscore_exit(void) {
  return end_by(1);
}
static int killed(void) {
  return end_by(2);
}
static int aborted(void) {
  return end_by(3);
}
/* The first interval of all never ends. */
static int killed_at_first(void) {
  ending_root(2);
  return 2;
}

const struct scenario process_scenarios[] = {{"fork_outside", fork_outside},
                                             {"fork_inside", fork_inside},
                                             {"fork_raw", fork_raw},
                                             {"vfork", vfork_inside},
                                             {"exit_inside", exit_inside},
                                             {"underscore_exit", underscore_exit},
                                             {"killed", killed},
                                             {"aborted", aborted},
                                             {"killed_at_first", killed_at_first},
                                             {NULL, NULL}};
