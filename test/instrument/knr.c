// vprof: --root work
// flags: -std=gnu89 -Wno-deprecated-non-prototype -Wno-strict-prototypes
// CHECK: { VPROF_ROOT(ID); /* the body */
// CHECK: { VPROF_FN(ID);

static int child(a, b)
  int a;
  char *b;
{
  return a + *b;
}
int work(n)
  int n;
{ /* the body */
  char c = 1;
  return child(n, &c);
}
