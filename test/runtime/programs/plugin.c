/* A shared object with a probe; the runtime is in the program that loads it. */
#include "vprof/probe.h"

#ifdef __cplusplus
extern "C" {
#endif
__attribute__((visibility("default"))) int plugin_leaf(int n);
#ifdef __cplusplus
}
#endif

int plugin_leaf(int n) {
  VPROF_FN(4u);
  return n * n;
}
