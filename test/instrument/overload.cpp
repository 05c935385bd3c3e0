// vprof: --root work
// CHECK: static int pick(int x) { VPROF_FN(ID); return x; }
// CHECK: static int pick(double x) { return static_cast<int>(x); }

static int pick(int x) { return x; }
[[maybe_unused]] static int pick(double x) { return static_cast<int>(x); }
int work(int n);
int work(int n) { return pick(n); }
