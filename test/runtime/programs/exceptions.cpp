// Exceptions through measured functions, caught inside the root and outside.
#include "vprof/probe.h"

#include <cstring>
#include <stdexcept>

#define NOINLINE __attribute__((noinline))
static volatile int sink;

static NOINLINE int leaf(int n) {
  VPROF_FN(2u);
  if (n % 2)
    throw std::runtime_error("odd");
  sink = n;
  return n;
}

static NOINLINE int middle(int n) {
  VPROF_FN(3u);
  return leaf(n) + 1;
}

static NOINLINE int catching_root(int n) {
  VPROF_ROOT(1u);
  try {
    return middle(n);
  } catch (const std::exception &) {
    return leaf(0) - 1;
  }
}

static NOINLINE int leaving_root(int n) {
  VPROF_ROOT(1u);
  return middle(n);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 99;
  bool bad = false;
  for (int i = 0; i < 20; i++) {
    if (std::strcmp(argv[1], "inside") == 0) {
      bad |= catching_root(i) != (i % 2 ? -1 : i + 1);
      continue;
    }
    try {
      bad |= leaving_root(i) != i + 1 || i % 2;
    } catch (const std::exception &) {
      bad |= i % 2 == 0;
    }
  }
  return bad;
}

#define VPROF_I_PLAN 0x1234567890abcdeful
#define VPROF_I_ROOT_ID 1u
#define VPROF_I_ROOT_MODE 0
#include "vprof/runtime.h"
