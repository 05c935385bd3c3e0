// vprof: --root work --loop 9
// CHECK: { VPROF_ROOT(ID); sum += child(n); }

static int child(int x) { return x * 2; }
int work(int n);
int work(int n) {
  int sum = 0;
  /* no braces */
  while (n-- > 0)
    sum += child(n);
  return sum;
}
