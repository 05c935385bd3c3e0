// vprof: --root work
// CHECK: #line 4
// CHECK: int work(int n) { VPROF_ROOT(ID); return n + __LINE__; } /* physical lines move, __LINE__ does not */
int work(int n);
int work(int n) { return n + __LINE__; } /* physical lines move, __LINE__ does not */
