// vprof: --root work
// CHECK-NOT: BEGIN VPROF_FN
// CHECK: VPROF_CALL(ID) made() VPROF_END
// CHECK: VPROF_CALL(ID) opened() VPROF_END

#define WHOLE static int made(void) { return 1; }
#define BEGIN {
WHOLE
static int opened(void) BEGIN return 2; }
int work(void);
int work(void) { return made() + opened(); }
