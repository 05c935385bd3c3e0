/*
 * Is recording on, and whose process is this?
 *
 * Decided once per family of processes, at the first root entry: VPROF_DIR names the run's folder, or
 * recording is off and the root probe costs a load and a branch from then on. Every thread that gets here
 * early prepares a whole state of its own; one compare-and-swap publishes the winner, the others discard
 * theirs. So nobody waits, and a fork in the middle leaves nothing half done.
 *
 * State that a forked child must not take for its own lies in pages with MADV_WIPEONFORK (struct
 * vprof_i_process). A recorder carries the cookie of the process it last worked for; the cookie in the wiped
 * page is 0 in a child however it was made (fork, clone, the raw system call), and that difference is the
 * whole test.
 */
#ifndef VPROF_I_PROCESS_H
#define VPROF_I_PROCESS_H
#pragma GCC system_header
#include "clock.h"
#include "text.h"

#ifdef __cplusplus
extern "C" {
#endif
extern char *vprof_i_libc_getenv(const char *) VPROF_I_LIBC("getenv");
extern int vprof_i_libc_key_create(unsigned int *, void (*)(void *)) VPROF_I_LIBC("pthread_key_create");
extern int vprof_i_libc_key_delete(unsigned int) VPROF_I_LIBC("pthread_key_delete");
extern int vprof_i_libc_setspecific(unsigned int, const void *) VPROF_I_LIBC("pthread_setspecific");
#ifdef __cplusplus
}
#endif

/* Defined in thread_exit.h. */
VPROF_I_COLD void vprof_i_thread_ends(void *vp_recorder);

/* Copies the value of `vp_name` (which ends in '=') from the environment the program was started with; for
 * programs without a getenv or with an emptied environment. Returns 1 if it was there and fitted. */
VPROF_I_COLD int vprof_i_initial_environment(const char *vp_name, char *vp_to, unsigned long vp_size,
                                             char *vp_block) {
  unsigned long vp_matched = 0, vp_copied = 0, vp_name_length = vprof_i_length_of(vp_name);
  int vp_other = 0, vp_done = 0; /* vp_other: inside a variable of another name */
  int vp_fd = vprof_i_open_file("/proc/self/environ", 0);
  long vp_got, vp_at;
  if (vp_fd < 0)
    return 0;
  while (!vp_done && (vp_got = vprof_i_read_file(vp_fd, vp_block, VPROF_I_PAGE)) > 0) {
    for (vp_at = 0; vp_at < vp_got && !vp_done; vp_at++) {
      char vp_char = vp_block[vp_at];
      if (vp_matched == vp_name_length) {
        vp_to[vp_copied] = vp_char;
        vp_done = vp_char == 0 || ++vp_copied == vp_size;
      } else if (vp_char == 0) {
        vp_matched = 0;
        vp_other = 0;
      } else if (!vp_other && vp_char == vp_name[vp_matched]) {
        vp_matched++;
      } else {
        vp_other = 1;
      }
    }
  }
  vprof_i_close_file(vp_fd);
  return vp_done && vp_copied < vp_size;
}

VPROF_I_COLD int vprof_i_environment(const char *vp_name, char *vp_to, unsigned long vp_size,
                                     char *vp_block) {
  char vp_plain[24];
  const char *vp_value = 0;
  if (vprof_i_libc_getenv) {
    vprof_i_append(vp_plain, vp_name)[-1] = 0;
    vp_value = vprof_i_libc_getenv(vp_plain);
  }
  if (!vp_value)
    return vprof_i_initial_environment(vp_name, vp_to, vp_size, vp_block);
  if (vprof_i_length_of(vp_value) >= vp_size)
    return 0;
  vprof_i_append(vp_to, vp_value);
  return 1;
}

/* Reads the settings. Returns 0 if the program is not to be recorded. */
VPROF_I_COLD int vprof_i_read_settings(struct vprof_i_family *vp_family) {
  char *vp_block = vp_family->vp_process->vp_block;
  char *vp_line = vp_family->vp_process->vp_line;
  const char *vp_number = vp_line;
  if (!vprof_i_environment("VPROF_DIR=", vp_family->vp_folder, sizeof(vp_family->vp_folder), vp_block) ||
      vp_family->vp_folder[0] != '/')
    return 0;
  vp_family->vp_limit_bytes = VPROF_I_DEFAULT_LIMIT;
  if (vprof_i_environment("VPROF_LIMIT_BYTES=", vp_line, sizeof(vp_family->vp_process->vp_line), vp_block) &&
      vprof_i_digit(*vp_line) < 10)
    vp_family->vp_limit_bytes = vprof_i_parse_number(&vp_number, 10);
  return 1;
}

/* A family that is ready to be published; 0: off, or no memory. */
VPROF_I_COLD struct vprof_i_family *vprof_i_prepare_family(unsigned long *vp_size) {
  unsigned long vp_process_size = (sizeof(struct vprof_i_process) + VPROF_I_PAGE - 1) & ~(VPROF_I_PAGE - 1ul);
  char *vp_memory;
  struct vprof_i_family *vp_family;
  *vp_size = VPROF_I_PAGE + vp_process_size;
  vp_memory = (char *)vprof_i_mmap(*vp_size, VPROF_I_PROT_RW, VPROF_I_MAP_RESERVE, -1, 0);
  if (!vp_memory)
    return 0;
  vp_family = (struct vprof_i_family *)vp_memory;
  vp_family->vp_process = (struct vprof_i_process *)(vp_memory + VPROF_I_PAGE);
  if (!vprof_i_read_settings(vp_family)) {
    vprof_i_munmap(vp_memory, *vp_size);
    return 0;
  }
  vp_family->vp_pid = vprof_i_identity(VPROF_I_SYS_GETPID);
  vp_family->vp_wipe_failed =
      vprof_i_madvise(vp_family->vp_process, vp_process_size, VPROF_I_MADV_WIPEONFORK) != 0;
  if (vprof_i_libc_key_create && vprof_i_libc_setspecific)
    vp_family->vp_key_valid = vprof_i_libc_key_create(&vp_family->vp_key, vprof_i_thread_ends) == 0;
  vprof_i_calibrate_clock(vp_family);
  return vp_family;
}

/* Acquire: what the publisher wrote into the family is seen by whoever sees the pointer. */
VPROF_I_HOT struct vprof_i_family *vprof_i_family_now(void) {
  return __atomic_load_n(&vprof_i_home, __ATOMIC_ACQUIRE);
}

/* Decides (see above) and returns the family in force, VPROF_I_OFF if recording is off. */
VPROF_I_COLD struct vprof_i_family *vprof_i_decide(void) {
  unsigned long vp_size = 0;
  unsigned long vp_signals = vprof_i_block_signals();
  struct vprof_i_family *vp_mine = vprof_i_prepare_family(&vp_size);
  struct vprof_i_family *vp_expected = 0;
  /* Release publishes the family's fields; acquire on failure takes over the winner's. */
  if (!__atomic_compare_exchange_n(&vprof_i_home, &vp_expected, vp_mine ? vp_mine : VPROF_I_OFF, 0,
                                   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) &&
      vp_mine) {
    if (vp_mine->vp_key_valid && vprof_i_libc_key_delete)
      (void)vprof_i_libc_key_delete(vp_mine->vp_key);
    vprof_i_munmap(vp_mine, vp_size);
  }
  vprof_i_restore_signals(vp_signals);
  return vprof_i_family_now();
}

/* ---- the process ---- */

/* Before Linux 4.14 nothing is wiped: do it here when the pid has changed. */
VPROF_I_COLD void vprof_i_wipe_by_pid(struct vprof_i_family *vp_family) {
  unsigned int vp_pid = vprof_i_identity(VPROF_I_SYS_GETPID);
  if (vp_pid != vp_family->vp_pid) {
    vprof_i_zero(vp_family->vp_process, sizeof(struct vprof_i_process));
    vp_family->vp_pid = vp_pid;
  }
}

/* Acquire: pairs with the release in vprof_i_begin_file, which publishes the header and the path. */
VPROF_I_HOT unsigned long vprof_i_cookie(struct vprof_i_family *vp_family) {
  if (VPROF_I_UNLIKELY(vp_family->vp_wipe_failed))
    vprof_i_wipe_by_pid(vp_family);
  return __atomic_load_n(&vp_family->vp_process->vp_cookie, __ATOMIC_ACQUIRE);
}

/* Signals must be blocked: a handler that wanted the lock of the thread it interrupted would wait for
 * ever. */
VPROF_I_HELPER void vprof_i_lock(struct vprof_i_process *vp_process) {
  while (__atomic_exchange_n(&vp_process->vp_locked, 1u,
                             __ATOMIC_ACQUIRE)) /* acquire: what the last holder wrote */
    vprof_i_pause();
}

VPROF_I_HELPER void vprof_i_unlock(struct vprof_i_process *vp_process) {
  __atomic_store_n(&vp_process->vp_locked, 0u, __ATOMIC_RELEASE); /* release: to the next holder */
}

/* Counts a loss where the reader will find it. Relaxed: the counters stand for themselves. */
VPROF_I_COLD void vprof_i_drop(enum vprof_drop_reason vp_reason) {
  struct vprof_i_family *vp_family = vprof_i_family_now();
  struct vprof_file_header *vp_header;
  if ((unsigned long)vp_family <= 1ul)
    return;
  vp_header = __atomic_load_n(&vp_family->vp_process->vp_header, __ATOMIC_ACQUIRE);
  if (vp_header)
    (void)__atomic_fetch_add(&vp_header->vp_dropped[vp_reason], 1, __ATOMIC_RELAXED);
  else
    (void)__atomic_fetch_add(&vp_family->vp_process->vp_dropped[vp_reason], 1, __ATOMIC_RELAXED);
}

#endif
