// vprof: --root work
// CHECK: if (VPROF_SETJMP(ID) setjmp(env) VPROF_LANDED(ID) == 0)
// CHECK: TRY { // the macro's own call is left alone
// CHECK: longjmp(env, 1);
// REFUSED: longjmp: does not return

#include <setjmp.h>
#define TRY if (setjmp(env) == 0)
static jmp_buf env;
int work(int n);
int work(int n) {
  if (setjmp(env) == 0)
    longjmp(env, 1);
  TRY { // the macro's own call is left alone
    longjmp(env, 2);
  }
  return n;
}
