// vprof: --root work
// CHECK: int run() override { VPROF_FN(ID); return 1; }
// CHECK: int run() override { VPROF_FN(ID); return 2; }
// CHECK: return VPROF_CALL(ID) outside.poll() VPROF_END + shape.run();

struct Shape {
  virtual ~Shape() = default;
  virtual int run() = 0;
};
struct One : Shape {
  int run() override { return 1; }
};
struct Two : Shape {
  int run() override { return 2; }
};
struct Outside {
  virtual ~Outside();
  virtual int poll() = 0;
};
int work(Shape &shape, Outside &outside);
int work(Shape &shape, Outside &outside) {
  One one;
  Two two;
  (void)one;
  (void)two;
  return outside.poll() + shape.run();
}
