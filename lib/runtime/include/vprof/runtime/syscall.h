/*
 * System calls by instruction, not through the C library: errno stays as it is, no interposed or profiled
 * wrapper runs, and no declaration of the host is needed. Results are the kernel's: -4095..-1 is an error
 * number.
 */
#ifndef VPROF_I_SYSCALL_H
#define VPROF_I_SYSCALL_H
#pragma GCC system_header
#include "base.h"

#if defined(__x86_64__)
enum {
  VPROF_I_SYS_READ = 0,
  VPROF_I_SYS_CLOSE = 3,
  VPROF_I_SYS_MMAP = 9,
  VPROF_I_SYS_MPROTECT = 10,
  VPROF_I_SYS_MUNMAP = 11,
  VPROF_I_SYS_SIGPROCMASK = 14,
  VPROF_I_SYS_PWRITE = 18,
  VPROF_I_SYS_MADVISE = 28,
  VPROF_I_SYS_NANOSLEEP = 35,
  VPROF_I_SYS_GETPID = 39,
  VPROF_I_SYS_GETPPID = 110,
  VPROF_I_SYS_SIGALTSTACK = 131,
  VPROF_I_SYS_GETTID = 186,
  VPROF_I_SYS_CLOCK_GETTIME = 228,
  VPROF_I_SYS_OPENAT = 257,
  VPROF_I_SYS_UNLINKAT = 263,
  VPROF_I_SYS_READLINKAT = 267,
  VPROF_I_SYS_FALLOCATE = 285,
  VPROF_I_SYS_PRLIMIT = 302
};
#define VPROF_I_O_NOFOLLOW 0400000
#else
enum {
  VPROF_I_SYS_UNLINKAT = 35,
  VPROF_I_SYS_FALLOCATE = 47,
  VPROF_I_SYS_OPENAT = 56,
  VPROF_I_SYS_CLOSE = 57,
  VPROF_I_SYS_READ = 63,
  VPROF_I_SYS_PWRITE = 68,
  VPROF_I_SYS_READLINKAT = 78,
  VPROF_I_SYS_NANOSLEEP = 101,
  VPROF_I_SYS_CLOCK_GETTIME = 113,
  VPROF_I_SYS_SIGALTSTACK = 132,
  VPROF_I_SYS_SIGPROCMASK = 135,
  VPROF_I_SYS_GETPID = 172,
  VPROF_I_SYS_GETPPID = 173,
  VPROF_I_SYS_GETTID = 178,
  VPROF_I_SYS_MUNMAP = 215,
  VPROF_I_SYS_MMAP = 222,
  VPROF_I_SYS_MPROTECT = 226,
  VPROF_I_SYS_MADVISE = 233,
  VPROF_I_SYS_PRLIMIT = 261
};
#define VPROF_I_O_NOFOLLOW 0100000
#endif

enum {
  VPROF_I_O_RDWR = 2,
  VPROF_I_O_CREAT = 0100,
  VPROF_I_O_EXCL = 0200,
  VPROF_I_O_CLOEXEC = 02000000,
  VPROF_I_AT_FDCWD = -100,
  VPROF_I_EINTR = 4,
  VPROF_I_EINVAL = 22,
  VPROF_I_ENOSYS = 38,
  VPROF_I_EOPNOTSUPP = 95,
  VPROF_I_PROT_NONE = 0,
  VPROF_I_PROT_RW = 3,
  VPROF_I_MAP_SHARED = 1,
  VPROF_I_MAP_RESERVE = 0x4022, /* private, anonymous, no swap space set aside */
  VPROF_I_MADV_DONTFORK = 10,
  VPROF_I_MADV_WIPEONFORK = 18,
  VPROF_I_CLOCK_REALTIME = 0,
  VPROF_I_CLOCK_MONOTONIC = 1,
  VPROF_I_RLIMIT_FSIZE = 1,
  VPROF_I_RLIMIT_AS = 9,
  VPROF_I_SIG_SETMASK = 2,
  VPROF_I_SS_ONSTACK = 1
};

VPROF_I_HELPER long vprof_i_syscall(long vp_number, unsigned long vp_1, unsigned long vp_2,
                                    unsigned long vp_3, unsigned long vp_4, unsigned long vp_5,
                                    unsigned long vp_6) {
#if defined(__x86_64__)
  unsigned long vp_result;
  register unsigned long vp_r10 __asm__("r10") = vp_4;
  register unsigned long vp_r8 __asm__("r8") = vp_5;
  register unsigned long vp_r9 __asm__("r9") = vp_6;
  __asm__ __volatile__("syscall"
                       : "=a"(vp_result)
                       : "a"(vp_number), "D"(vp_1), "S"(vp_2), "d"(vp_3), "r"(vp_r10), "r"(vp_r8), "r"(vp_r9)
                       : "rcx", "r11", "memory");
  return (long)vp_result;
#else
  register unsigned long vp_x8 __asm__("x8") = (unsigned long)vp_number;
  register unsigned long vp_x0 __asm__("x0") = vp_1;
  register unsigned long vp_x1 __asm__("x1") = vp_2;
  register unsigned long vp_x2 __asm__("x2") = vp_3;
  register unsigned long vp_x3 __asm__("x3") = vp_4;
  register unsigned long vp_x4 __asm__("x4") = vp_5;
  register unsigned long vp_x5 __asm__("x5") = vp_6;
  __asm__ __volatile__("svc 0"
                       : "+r"(vp_x0)
                       : "r"(vp_x8), "r"(vp_x1), "r"(vp_x2), "r"(vp_x3), "r"(vp_x4), "r"(vp_x5)
                       : "memory");
  return (long)vp_x0;
#endif
}

VPROF_I_HELPER int vprof_i_failed(long vp_result) {
  return vp_result < 0 && vp_result >= -4095;
}

/* Returns 0 when the kernel refuses. */
VPROF_I_HELPER void *vprof_i_mmap(unsigned long vp_size, int vp_protection, int vp_flags, int vp_fd,
                                  unsigned long vp_offset) {
  long vp_result = vprof_i_syscall(VPROF_I_SYS_MMAP, 0, vp_size, (unsigned long)vp_protection,
                                   (unsigned long)vp_flags, (unsigned long)(long)vp_fd, vp_offset);
  return vprof_i_failed(vp_result) ? (void *)0 : (void *)vp_result;
}

VPROF_I_HELPER void vprof_i_munmap(void *vp_start, unsigned long vp_size) {
  (void)vprof_i_syscall(VPROF_I_SYS_MUNMAP, (unsigned long)vp_start, vp_size, 0, 0, 0, 0);
}

VPROF_I_HELPER int vprof_i_madvise(void *vp_start, unsigned long vp_size, int vp_advice) {
  return (int)vprof_i_syscall(VPROF_I_SYS_MADVISE, (unsigned long)vp_start, vp_size, (unsigned long)vp_advice,
                              0, 0, 0);
}

VPROF_I_HELPER int vprof_i_open_file(const char *vp_path, int vp_flags) {
  return (int)vprof_i_syscall(VPROF_I_SYS_OPENAT, (unsigned long)(long)VPROF_I_AT_FDCWD,
                              (unsigned long)vp_path, (unsigned long)(vp_flags | VPROF_I_O_CLOEXEC), 0644, 0,
                              0);
}

VPROF_I_HELPER void vprof_i_close_file(int vp_fd) {
  (void)vprof_i_syscall(VPROF_I_SYS_CLOSE, (unsigned long)vp_fd, 0, 0, 0, 0, 0);
}

VPROF_I_HELPER long vprof_i_read_file(int vp_fd, char *vp_to, unsigned long vp_size) {
  long vp_result;
  do
    vp_result =
        vprof_i_syscall(VPROF_I_SYS_READ, (unsigned long)vp_fd, (unsigned long)vp_to, vp_size, 0, 0, 0);
  while (vp_result == -VPROF_I_EINTR);
  return vp_result;
}

VPROF_I_HELPER unsigned int vprof_i_identity(long vp_number) {
  return (unsigned int)vprof_i_syscall(vp_number, 0, 0, 0, 0, 0, 0);
}

VPROF_I_COLD unsigned long vprof_i_clock_ns(int vp_clock) {
  unsigned long vp_time[2];
  vp_time[0] = vp_time[1] = 0;
  (void)vprof_i_syscall(VPROF_I_SYS_CLOCK_GETTIME, (unsigned long)vp_clock, (unsigned long)vp_time, 0, 0, 0,
                        0);
  return vp_time[0] * 1000000000ul + vp_time[1];
}

/* Soft limit of a resource in bytes, ~0 if there is none. */
VPROF_I_HELPER unsigned long vprof_i_soft_limit(int vp_resource) {
  unsigned long vp_limit[2];
  vp_limit[0] = vp_limit[1] = ~0ul;
  (void)vprof_i_syscall(VPROF_I_SYS_PRLIMIT, 0, (unsigned long)vp_resource, 0, (unsigned long)vp_limit, 0, 0);
  return vp_limit[0];
}

/* All signals off while a lock is held or a file is open, so that no handler can leave it there by
 * siglongjmp. The two that threads libraries keep for themselves are blocked too, for these few
 * microseconds. */
VPROF_I_HELPER unsigned long vprof_i_block_signals(void) {
  unsigned long vp_all = ~0ul;
  unsigned long vp_before = 0;
  (void)vprof_i_syscall(VPROF_I_SYS_SIGPROCMASK, VPROF_I_SIG_SETMASK, (unsigned long)&vp_all,
                        (unsigned long)&vp_before, 8, 0, 0);
  return vp_before;
}

VPROF_I_HELPER void vprof_i_restore_signals(unsigned long vp_before) {
  (void)vprof_i_syscall(VPROF_I_SYS_SIGPROCMASK, VPROF_I_SIG_SETMASK, (unsigned long)&vp_before, 0, 8, 0, 0);
}

/* Not sched_yield: under a real-time policy that would never let a lower-priority holder of the lock run. */
VPROF_I_HELPER void vprof_i_pause(void) {
  unsigned long vp_time[2];
  vp_time[0] = 0;
  vp_time[1] = 50000;
  (void)vprof_i_syscall(VPROF_I_SYS_NANOSLEEP, (unsigned long)vp_time, 0, 0, 0, 0, 0);
}

#endif
