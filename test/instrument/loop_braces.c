// vprof: --root work --loop 8 --loop-label @requests
// CHECK: for (i = 0; i < n; i++) { VPROF_ROOT(ID);
// CHECK-NOT: int work(int n) { VPROF
static int child(int x) { return x * 2; }
int work(int n);
int work(int n) {
  int i, sum = 0;
  for (i = 0; i < n; i++) {
    if (i == 3)
      continue;
    sum += child(i);
  }
  return sum;
}
