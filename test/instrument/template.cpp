// vprof: --root work
// CHECK: template <typename T> T twice(T x) { VPROF_FN(ID);
// CHECK: auto add = [&](int y) { VPROF_FN(ID); return n + y; };

template <typename T> T twice(T x) {
  return x + x;
}
int work(int n);
int work(int n) {
  auto add = [&](int y) { return n + y; };
  return twice(n) + static_cast<int>(twice(1.5)) + add(2);
}
