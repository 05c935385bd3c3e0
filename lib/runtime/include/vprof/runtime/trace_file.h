/* Beginning a process's trace file: name, header, first module list. */
#ifndef VPROF_I_TRACE_FILE_H
#define VPROF_I_TRACE_FILE_H
#pragma GCC system_header
#include "modules.h"
#include "plan.h"

VPROF_I_COLD void vprof_i_fill_header(struct vprof_i_family *vp_family, struct vprof_file_header *vp_header) {
  unsigned int vp_at;
  vp_header->vp_version = VPROF_TRACE_VERSION;
  vp_header->vp_header_size = VPROF_TRACE_HEADER_SIZE;
  vp_header->vp_plan = vprof_i_plan();
  vp_header->vp_root_id = vprof_i_root_id();
  vp_header->vp_pid = vprof_i_identity(VPROF_I_SYS_GETPID);
  vp_header->vp_parent_pid = vprof_i_identity(VPROF_I_SYS_GETPPID);
  vp_header->vp_clock_source = vp_family->vp_clock_source;
  /* The first reading may be an ancestor's: same machine, same clocks, and a better rate. */
  vp_header->vp_first_ticks = vp_family->vp_first_ticks;
  vp_header->vp_first_monotonic_ns = vp_family->vp_first_monotonic_ns;
  vp_header->vp_first_realtime_ns = vp_family->vp_first_realtime_ns;
  vprof_i_read_clocks(&vp_header->vp_last_ticks, &vp_header->vp_last_monotonic_ns);
  vp_header->vp_probe_cost_ticks_q8 = vp_family->vp_cost_q8;
  vp_header->vp_probe_inside_ticks_q8 = vp_family->vp_inside_q8;
  for (vp_at = 0; vp_at < VPROF_DROP_REASONS; vp_at++)
    vp_header->vp_dropped[vp_at] =
        __atomic_exchange_n(&vp_family->vp_process->vp_dropped[vp_at], 0ul, __ATOMIC_RELAXED);
  vp_header->vp_file_bytes = VPROF_TRACE_HEADER_SIZE;
  (void)vprof_i_syscall(VPROF_I_SYS_READLINKAT, (unsigned long)(long)VPROF_I_AT_FDCWD,
                        (unsigned long)"/proc/self/exe", (unsigned long)vp_header->vp_executable,
                        sizeof(vp_header->vp_executable) - 1, 0, 0);
  vp_header->vp_magic_high = VPROF_TRACE_MAGIC_HIGH;
  /* Release: a file without its first word is one that had not begun. */
  __atomic_store_n(&vp_header->vp_magic_low, VPROF_TRACE_MAGIC_LOW, __ATOMIC_RELEASE);
}

/* Creates the file and maps its first page. The name holds the pid and the time, so that neither a pid used
 * again nor a second run in the same folder meets an existing file; O_EXCL makes sure. */
VPROF_I_COLD struct vprof_file_header *vprof_i_create_file(struct vprof_i_family *vp_family) {
  char *vp_path = vp_family->vp_process->vp_path;
  char *vp_end = vprof_i_append(vp_path, vp_family->vp_folder);
  struct vprof_file_header *vp_header = 0;
  int vp_fd;
  vp_end = vprof_i_append(vp_end, "/vprof.");
  vp_end = vprof_i_append_number(vp_end, vprof_i_identity(VPROF_I_SYS_GETPID), 10);
  vp_end = vprof_i_append(vp_end, ".");
  vp_end = vprof_i_append_number(vp_end, vprof_i_ticks(), 16);
  (void)vprof_i_append(vp_end, ".vpt");
  vp_fd = vprof_i_open_file(vp_path, VPROF_I_O_RDWR | VPROF_I_O_CREAT | VPROF_I_O_EXCL | VPROF_I_O_NOFOLLOW);
  if (vp_fd < 0)
    return 0;
  if (vp_family->vp_limit_bytes >= VPROF_TRACE_HEADER_SIZE)
    vp_header = (struct vprof_file_header *)vprof_i_map_space(vp_fd, 0, VPROF_TRACE_HEADER_SIZE);
  vprof_i_close_file(vp_fd);
  if (vp_header)
    vprof_i_fill_header(vp_family, vp_header);
  else
    (void)vprof_i_syscall(VPROF_I_SYS_UNLINKAT, (unsigned long)(long)VPROF_I_AT_FDCWD, (unsigned long)vp_path,
                          0, 0, 0, 0);
  return vp_header;
}

/* Makes sure that this process has a file; returns its cookie, 0 if there can be none. */
VPROF_I_COLD unsigned long vprof_i_begin_file(struct vprof_i_family *vp_family) {
  struct vprof_i_process *vp_process = vp_family->vp_process;
  unsigned long vp_signals = vprof_i_block_signals();
  unsigned long vp_cookie;
  vprof_i_lock(vp_process);
  vp_cookie = vp_process->vp_cookie;
  if (!vp_cookie && !vp_process->vp_stopped) {
    struct vprof_file_header *vp_header = vprof_i_create_file(vp_family);
    vprof_i_note_outcome(vp_process, vp_header != 0);
    if (vp_header) {
      /* Release: drop counts go to a header that is filled in. */
      __atomic_store_n(&vp_process->vp_header, vp_header, __ATOMIC_RELEASE);
      vprof_i_append_modules(vp_family);
      vp_cookie = (unsigned long)vp_header->vp_pid << 40 | (vp_header->vp_last_ticks & 0xfffffffffful) | 1ul;
      /* Release: whoever sees the cookie sees header, path and module ranges. */
      __atomic_store_n(&vp_process->vp_cookie, vp_cookie, __ATOMIC_RELEASE);
    }
  }
  vprof_i_unlock(vp_process);
  vprof_i_restore_signals(vp_signals);
  return vp_cookie;
}

/* Renews the header's second clock reading when it is older than 100 ms. Racing threads may each store a
 * pair; the pairs differ by less than the time it takes to store one. */
VPROF_I_COLD void vprof_i_store_clocks(struct vprof_file_header *vp_header) {
  unsigned long vp_ticks = 0, vp_ns = 0;
  vprof_i_read_clocks(&vp_ticks, &vp_ns);
  __atomic_store_n(&vp_header->vp_last_ticks, vp_ticks, __ATOMIC_RELAXED);
  __atomic_store_n(&vp_header->vp_last_monotonic_ns, vp_ns, __ATOMIC_RELAXED);
}

VPROF_I_HOT void vprof_i_refresh_clocks(struct vprof_i_family *vp_family, unsigned long vp_now) {
  struct vprof_file_header *vp_header = vp_family->vp_process->vp_header;
  if (vp_now - __atomic_load_n(&vp_header->vp_last_ticks, __ATOMIC_RELAXED) > vp_family->vp_refresh_ticks)
    vprof_i_store_clocks(vp_header);
}

#endif
