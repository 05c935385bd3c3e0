// vprof: --root work
// flags: -std=c99
// CHECK: int work(int n) <% VPROF_ROOT(ID); return n; %>

int work(int n);
int work(int n) <% return n; %>
