// vprof: --root serve --idle wait_for_work --unit-begin begin --unit-end "finish:ready == 'I'"
// CHECK: static int wait_for_work(void) { VPROF_IDLE(ID);
// CHECK: static void begin(void) { VPROF_FN(ID); VPROF_UNIT_BEGIN(ID); served++; }
// CHECK: static void finish(int ready) { VPROF_FN(ID); VPROF_UNIT_END(ID, (ready == 'I')); served += ready; }

static int served;
static int wait_for_work(void) { return served < 3; }
static void begin(void) { served++; }
static void finish(int ready) { served += ready; }
int serve(void);
int serve(void) {
  while (wait_for_work()) {
    begin();
    finish('I');
  }
  return served;
}
