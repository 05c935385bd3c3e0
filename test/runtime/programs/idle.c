/* A root that does not return by itself, and an idle function. */
#include "vprof/probe.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
static volatile int sink;
static volatile int commands, failing;
static jmp_buf recovery;
enum { FORKS = 1 };

static NOINLINE int leaf(int n) {
  VPROF_FN(2u);
  sink += n;
  return n;
}

static NOINLINE int execute(int n) {
  VPROF_FN(3u);
  if (failing && n % 4 == 3)
    longjmp(recovery, 1);
  return leaf(n);
}

/* 0 ends the server. */
static NOINLINE int read_command(void) {
  VPROF_IDLE(4u);
  (void)leaf(0); /* idle: not measured, nor is the time */
  usleep(5000);
  return ++commands <= 20;
}

/* Between the root and the idle function. */
static NOINLINE int next_command(void) {
  VPROF_FN(5u);
  int more = read_command();
  (void)leaf(1);
  return more;
}

static NOINLINE void server(void) {
  VPROF_ROOT(1u);
  if (setjmp(recovery))
    sink++;
  while (read_command())
    (void)execute(commands);
}

static NOINLINE void server_with_helper(void) {
  VPROF_ROOT(1u);
  while (next_command())
    (void)execute(commands);
}

/* The server forks a child for one of its commands; the child goes on in the same loop. */
static NOINLINE void forking_server(void) {
  VPROF_ROOT(1u);
  int status = 0;
  while (read_command()) {
    (void)execute(commands);
    if (commands == 10) {
      pid_t child = fork();
      if (child > 0)
        (void)waitpid(child, &status, 0);
    }
  }
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 99;
  failing = strcmp(argv[1], "failing") == 0;
  if (strcmp(argv[1], "helper") == 0)
    server_with_helper();
  else if (strcmp(argv[1], "fork") == 0)
    forking_server();
  else
    server();
  (void)read_command(); /* idle outside the root */
  if (strcmp(argv[1], "twice") == 0) {
    commands = 0;
    server();
  }
  return 0;
}

#define VPROF_I_PLAN 0x1234567890abcdeful
#define VPROF_I_ROOT_ID 1u
#define VPROF_I_ROOT_MODE VPROF_I_MODE_IDLE
#include "vprof/runtime.h"
