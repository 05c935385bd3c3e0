/* Jumps, signal handlers, stacks. */
#include "plain.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

static jmp_buf target;
static sigjmp_buf signal_target;

static NOINLINE int jumping(int n) {
  VPROF_FN(4u);
  if (n % 2)
    longjmp(target, 1);
  return leaf(n);
}

static NOINLINE int above(int n) {
  VPROF_FN(2u);
  return jumping(n) + 1;
}

static NOINLINE int catching_root(int n) {
  VPROF_ROOT(1u);
  if (setjmp(target))
    return leaf(n);
  return above(n);
}

/* The root catches: what was jumped over ends, the interval goes on. */
static int jump_inside(void) {
  int i, bad = 0;
  for (i = 0; i < 20; i++)
    bad |= catching_root(i) != 2 * i + (i % 2 ? 0 : 1);
  return bad;
}

static NOINLINE int marked_root(int n) {
  VPROF_ROOT(1u);
  if (VPROF_SETJMP(1u) setjmp(target) VPROF_LANDED(1u))
    return leaf(n);
  return above(n);
}

/* The same with the call of setjmp marked, which needs no guess at any level of inlining. */
static int jump_marked(void) {
  int i, bad = 0;
  for (i = 0; i < 20; i++)
    bad |= marked_root(i) != 2 * i + (i % 2 ? 0 : 1);
  return bad;
}

static NOINLINE int left_root(int n) {
  VPROF_ROOT(1u);
  return above(n);
}

static int try_left_root(int n) {
  if (setjmp(target))
    return -1;
  return left_root(n);
}

/* The caller of the root catches: the interval does not complete. */
static int jump_out(void) {
  int i, bad = 0;
  for (i = 0; i < 20; i++)
    bad |= try_left_root(i) != (i % 2 ? -1 : 2 * i + 1);
  return bad || run_roots(1);
}

static void handler(int number) {
  VPROF_FN(5u);
  (void)number;
  (void)leaf(1);
}

static NOINLINE int raising_root(int n) {
  VPROF_ROOT(1u);
  raise(SIGUSR1);
  return leaf(n);
}

static int install(int number, void (*function)(int), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = function;
  action.sa_flags = flags;
  return sigaction(number, &action, NULL);
}

static int handler_inside(void) {
  int i, bad = install(SIGUSR1, handler, 0);
  for (i = 0; i < 20; i++)
    bad |= raising_root(i) != 2 * i;
  return bad;
}

static char alternate[65536];

/* The handler runs on a stack that lies elsewhere. */
static int handler_on_altstack(void) {
  stack_t stack;
  int i, bad;
  memset(&stack, 0, sizeof stack);
  stack.ss_sp = alternate;
  stack.ss_size = sizeof alternate;
  bad = sigaltstack(&stack, NULL) || install(SIGUSR1, handler, SA_ONSTACK);
  for (i = 0; i < 20; i++)
    bad |= raising_root(i) != 2 * i;
  return bad;
}

static int start_timer(long microseconds) {
  struct itimerval timer;
  memset(&timer, 0, sizeof timer);
  timer.it_interval.tv_usec = timer.it_value.tv_usec = microseconds;
  return setitimer(ITIMER_REAL, &timer, NULL);
}

static volatile sig_atomic_t alarms;

static void count_alarm(int number) {
  VPROF_FN(5u);
  (void)number;
  (void)leaf(1);
  alarms = alarms + 1;
}

/* Probes are interrupted anywhere by a handler with probes. */
static int asynchronous(void) {
  int bad = install(SIGALRM, count_alarm, SA_RESTART) || start_timer(200), i;
  for (i = 0; i < 2000 || alarms < 20; i++)
    bad |= root(1) != 6;
  return bad || start_timer(0);
}

static volatile sig_atomic_t target_set;

static void jump_away(int number) {
  (void)number;
  if (!target_set)
    return;
  target_set = 0;
  alarms = alarms + 1;
  siglongjmp(signal_target, 1);
}

static void work_until_jump(void) {
  volatile int i;
  if (sigsetjmp(signal_target, 1))
    return;
  target_set = 1;
  for (i = 0;; i++)
    (void)root(1);
}

/* A handler leaves by siglongjmp from anywhere, from inside probes too; recording goes on afterwards. */
static int asynchronous_jump(void) {
  int bad = install(SIGALRM, jump_away, 0);
  while (alarms < 100) {
    bad |= start_timer(150);
    work_until_jump();
    bad |= start_timer(0);
  }
  return bad || run_roots(1000);
}

static ucontext_t main_context, fiber_context[2];
static int fibers_done;

static NOINLINE int fiber_root(int me) {
  VPROF_ROOT(1u);
  int i;
  for (i = 0; i < 3; i++) {
    VPROF_FN(2u);
    (void)leaf(i);
    swapcontext(&fiber_context[me], &main_context);
    (void)leaf(i);
  }
  return 0;
}

static void fiber_main(int me) {
  (void)fiber_root(me);
  fibers_done |= 1 << me;
}

/* Fibers that switch inside intervals: nothing complete may mix their work. */
static int fibers(void) {
  int i;
  for (i = 0; i < 2; i++) {
    getcontext(&fiber_context[i]);
    fiber_context[i].uc_stack.ss_sp = malloc(256 << 10);
    fiber_context[i].uc_stack.ss_size = 256 << 10;
    fiber_context[i].uc_link = &main_context;
    makecontext(&fiber_context[i], (void (*)(void))(void *)fiber_main, 1, i);
  }
  while (fibers_done != 3)
    for (i = 0; i < 2; i++)
      if (!(fibers_done >> i & 1))
        swapcontext(&main_context, &fiber_context[i]);
  return run_roots(5);
}

const struct scenario jump_scenarios[] = {{"jump_inside", jump_inside},
                                          {"jump_marked", jump_marked},
                                          {"jump_out", jump_out},
                                          {"handler", handler_inside},
                                          {"handler_on_altstack", handler_on_altstack},
                                          {"asynchronous", asynchronous},
                                          {"asynchronous_jump", asynchronous_jump},
                                          {"fibers", fibers},
                                          {NULL, NULL}};
