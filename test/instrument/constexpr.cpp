// vprof: --root work
// CHECK: constexpr int square(int x) { return x * x; }
// CHECK: consteval int cube(int x) { return x * x * x; }
// REFUSED: square: constexpr function

constexpr int square(int x) { return x * x; }
consteval int cube(int x) { return x * x * x; }
int work(int n);
int work(int n) { return square(n) + cube(3); }
