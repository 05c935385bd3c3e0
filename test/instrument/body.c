// vprof: --root work
// CHECK: static int child(int x) { VPROF_FN(ID); return x + 1; }
// CHECK: { VPROF_ROOT(ID);

int work(int n); /* LINE1 */
static int child(int x) { return x + 1; }
int work(int n)
{
  if (n < 0) /* LINE2 */
    return -1;
  return child(n);
}
