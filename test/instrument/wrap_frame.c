// vprof: --root work
// CHECK: if (setjmp(env) == 0)
// CHECK: longjmp(env, 1);
// REFUSED: longjmp: does not return

#include <setjmp.h>
static jmp_buf env;
int work(int n);
int work(int n) {
  if (setjmp(env) == 0)
    longjmp(env, 1);
  return n;
}
