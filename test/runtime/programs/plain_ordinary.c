/* Calls, threads, recursion. */
#include "plain.h"

#include <pthread.h>

static int basic(void) {
  return run_roots(100);
}

static void *thread_body(void *argument) {
  *(int *)argument = run_roots(200);
  return NULL;
}

static int threads(void) {
  pthread_t thread[8];
  int bad[8], i, any = 0;
  for (i = 0; i < 8; i++)
    if (pthread_create(&thread[i], NULL, thread_body, &bad[i]))
      return 2;
  for (i = 0; i < 8; i++) {
    pthread_join(thread[i], NULL);
    any |= bad[i];
  }
  return any;
}

static void *endless(void *argument) {
  (void)argument;
  VPROF_ROOT(1u);
  pthread_exit(NULL);
  return NULL;
}

/* The thread ends inside the interval. */
static int thread_exit(void) {
  pthread_t thread;
  return pthread_create(&thread, NULL, endless, NULL) || pthread_join(thread, NULL);
}

static pthread_key_t key;

static void destructor(void *rounds) {
  run_roots(1);
  if (--*(int *)rounds > 0)
    pthread_setspecific(key, rounds);
}

static void *with_destructor(void *rounds) {
  pthread_setspecific(key, rounds);
  return (void *)(size_t)run_roots(1);
}

/* Destructors of other keys run roots, round after round, before and after the recorder's own. */
static int destructors(void) {
  pthread_t thread;
  int rounds = 4;
  return pthread_key_create(&key, destructor) || pthread_create(&thread, NULL, with_destructor, &rounds) ||
         pthread_join(thread, NULL) || rounds > 1;
}

static NOINLINE int nested_root(int n) {
  VPROF_ROOT(1u);
  return n == 0 ? leaf(0) : nested_root(n - 1) + 1;
}

static int recursion(void) {
  int i, bad = 0;
  for (i = 0; i < 10; i++)
    bad |= nested_root(i % 5) != i % 5;
  return bad;
}

static NOINLINE long descend(long n) {
  VPROF_FN(4u);
  return n == 0 ? leaf(1) : descend(n - 1) + 1;
}

static NOINLINE long deep_root(long n) {
  VPROF_ROOT(1u);
  return descend(n) + middle(1);
}

static void *deep_body(void *argument) {
  *(long *)argument = deep_root(100000) + deep_root(10);
  return NULL;
}

static int deep(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  long result = 0;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstacksize(&attributes, 256ul << 20) ||
      pthread_create(&thread, &attributes, deep_body, &result))
    return 2;
  pthread_join(thread, NULL);
  return result != 100002 + 6 + 12 + 6;
}

static NOINLINE int wrapped_root(int n) {
  VPROF_ROOT(1u);
  return VPROF_CALL(4u) abs(VPROF_CALL(5u) atoi("-7") VPROF_END) VPROF_END + leaf(n);
}

/* Calls of functions that have no body to hold a probe, one of them in the other's argument. */
static int wrapped(void) {
  int i, bad = 0;
  for (i = 0; i < 10; i++)
    bad |= wrapped_root(i) != 7 + 2 * i;
  return bad;
}

const struct scenario ordinary_scenarios[] = {{"basic", basic},
                                              {"threads", threads},
                                              {"thread_exit", thread_exit},
                                              {"destructors", destructors},
                                              {"recursion", recursion},
                                              {"deep", deep},
                                              {"wrapped", wrapped},
                                              {NULL, NULL}};
