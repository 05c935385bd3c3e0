// vprof: --root work
// CHECK: VPROF_CALL(ID) fsync(fd) VPROF_END;
// CHECK: n += VPROF_CALL(ID) read(VPROF_CALL(ID) dup(fd) VPROF_END, buffer, sizeof buffer) VPROF_END;
// CHECK: return DOUBLE(getpid()) + (int)strlen(buffer) + divided.quot + VPROF_CALL(ID) op->call(n) VPROF_END;
// CHECK: div_t divided = div(7, 2);
// REFUSED: getpid: no body in the tree, call not wrapped: call in a macro
// REFUSED: div: no body in the tree, call not wrapped: result is neither void nor scalar

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define DOUBLE(x) ((x) * 2)
struct ops { int (*call)(int); };
int work(int fd, const struct ops *op);
int work(int fd, const struct ops *op) {
  char buffer[16] = "";
  int n = 0; /* LINE1 */
  fsync(fd);
  n += read(dup(fd), buffer, sizeof buffer);
  div_t divided = div(7, 2);
  return DOUBLE(getpid()) + (int)strlen(buffer) + divided.quot + op->call(n);
}
