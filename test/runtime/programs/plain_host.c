/* The host must not notice: descriptors, errno, limits, shared objects. */
#include "plain.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

static int open_descriptors(void) {
  int fd, count = 0;
  for (fd = 0; fd < 256; fd++)
    count += fcntl(fd, F_GETFD) >= 0;
  return count;
}

static int descriptors(void) {
  int before = open_descriptors(), fd, bad;
  bad = run_roots(100) || open_descriptors() != before;
  for (fd = 3; fd < 256; fd++)
    close(fd);
  return bad || run_roots(20000) || open_descriptors() > 3;
}

static NOINLINE int errno_root(int n) {
  VPROF_ROOT(1u);
  (void)leaf(n);
  return errno;
}

static int errno_unchanged(void) {
  int i, bad = 0;
  for (i = 1; i < 5000; i++) {
    errno = i % 130 + 1;
    bad |= errno_root(i) != i % 130 + 1;
    bad |= errno != i % 130 + 1;
  }
  return bad;
}

static int with_limit(int what, unsigned long bytes) {
  struct rlimit limit;
  limit.rlim_cur = limit.rlim_max = bytes;
  return setrlimit((__rlimit_resource_t)what, &limit);
}

/* The file may not grow far, and SIGXFSZ has its default action. */
static int file_size(void) {
  return with_limit(RLIMIT_FSIZE, 100000) || run_roots(30000);
}
/* Not even the header fits. */
static int no_file(void) {
  return with_limit(RLIMIT_FSIZE, 0) || run_roots(100);
}
static int address_space(void) {
  return with_limit(RLIMIT_AS, 300ul << 20) || run_roots(100) || !malloc(100ul << 20);
}

/* A long run, to be stopped by VPROF_LIMIT_BYTES or not. */
static int many(void) {
  return run_roots(100000);
}

static int directory_gone(void) {
  return chdir("/") || run_roots(10);
}

typedef int (*plugin_function)(int);

static NOINLINE int plugin_root(plugin_function function) {
  VPROF_ROOT(1u);
  return function(3);
}

/* A probed function in a library loaded after the file has begun. */
static int plugin(void) {
  void *handle;
  plugin_function function;
  if (run_roots(3))
    return 2;
  handle = dlopen(getenv("TEST_PLUGIN"), RTLD_NOW);
  if (!handle)
    return 3;
  *(void **)&function = dlsym(handle, "plugin_leaf");
  if (plugin_root(function) != 9 || plugin_root(function) != 9)
    return 4;
  dlclose(handle);
  return run_roots(2);
}

const struct scenario host_scenarios[] = {{"descriptors", descriptors},
                                          {"errno", errno_unchanged},
                                          {"file_size", file_size},
                                          {"no_file", no_file},
                                          {"address_space", address_space},
                                          {"many", many},
                                          {"directory_gone", directory_gone},
                                          {"plugin", plugin},
                                          {NULL, NULL}};
