// vprof: --root work
// flags: -std=gnu17
// CHECK: { __label__ out; VPROF_ROOT(ID);

int work(int n);
int work(int n) { __label__ out;
  if (n)
    goto out;
  return 1;
out:
  return 0;
}
