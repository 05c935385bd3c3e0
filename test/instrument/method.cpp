// vprof: --root Server::handle
// CHECK: Guard() { VPROF_FN(ID); ++depth; }
// CHECK: ~Guard() { VPROF_FN(ID); --depth; }
// CHECK: int Server::parse(const char *text) const noexcept { VPROF_FN(ID);
// CHECK: long Server::handle(const char *text) try { VPROF_ROOT(ID);

static int depth;
struct Guard {
  Guard() { ++depth; }
  ~Guard() { --depth; }
};
struct Server {
  int parse(const char *text) const noexcept;
  long handle(const char *text);
};
int Server::parse(const char *text) const noexcept {
  return text[0];
}
long Server::handle(const char *text) try {
  Guard guard;
  return parse(text);
} catch (...) {
  return 0;
}
