/*
 * The module list: the executable lines of /proc/self/maps, from which addresses in the trace become file and
 * line offline. Written when the file begins, and again when a new node has an address in no mapping known so
 * far, that is after a dlopen. All of it under the process's lock.
 */
#ifndef VPROF_I_MODULES_H
#define VPROF_I_MODULES_H
#pragma GCC system_header
#include "space.h"

VPROF_I_HELPER int vprof_i_known_address(const struct vprof_i_process *vp_process, unsigned long vp_address) {
  unsigned int vp_at;
  for (vp_at = 0; vp_at < vp_process->vp_ranges; vp_at++)
    if (vp_address >= vp_process->vp_range[vp_at][0] && vp_address < vp_process->vp_range[vp_at][1])
      return 1;
  return vp_process->vp_ranges == VPROF_I_RANGES_MAX;
}

VPROF_I_HELPER void vprof_i_remember_range(struct vprof_i_process *vp_process, unsigned long vp_first,
                                           unsigned long vp_end) {
  if (vp_process->vp_ranges == VPROF_I_RANGES_MAX)
    return;
  vp_process->vp_range[vp_process->vp_ranges][0] = vp_first;
  vp_process->vp_range[vp_process->vp_ranges][1] = vp_end;
  vp_process->vp_ranges++;
}

/* Takes the line in vp_line ("first-end perms offset device inode path"). If it is executable, copies it to
 * `vp_to` as long as it fits in `vp_room`, and returns its length, else 0. */
VPROF_I_COLD unsigned long vprof_i_take_line(struct vprof_i_process *vp_process, unsigned long vp_length,
                                             char *vp_to, unsigned long vp_room) {
  const char *vp_text = vp_process->vp_line;
  unsigned long vp_first, vp_end, vp_at;
  vp_first = vprof_i_parse_number(&vp_text, 16);
  if (*vp_text++ != '-')
    return 0;
  vp_end = vprof_i_parse_number(&vp_text, 16);
  if (*vp_text != ' ' || vp_text[3] != 'x')
    return 0;
  if (!vp_to || vp_length > vp_room)
    return vp_to ? 0 : vp_length;
  for (vp_at = 0; vp_at < vp_length; vp_at++)
    vp_to[vp_at] = vp_process->vp_line[vp_at];
  vprof_i_remember_range(vp_process, vp_first, vp_end);
  return vp_length;
}

/* Bytes of the executable lines; copies them to `vp_to` unless that is 0. */
VPROF_I_COLD unsigned long vprof_i_scan_maps(struct vprof_i_process *vp_process, char *vp_to,
                                             unsigned long vp_room) {
  unsigned long vp_total = 0, vp_length = 0;
  long vp_got, vp_at;
  int vp_fd = vprof_i_open_file("/proc/self/maps", 0);
  if (vp_fd < 0)
    return 0;
  while ((vp_got = vprof_i_read_file(vp_fd, vp_process->vp_block, VPROF_I_PAGE)) > 0) {
    for (vp_at = 0; vp_at < vp_got; vp_at++) {
      if (vp_length < sizeof(vp_process->vp_line) || vp_process->vp_block[vp_at] == '\n') {
        if (vp_length == sizeof(vp_process->vp_line))
          vp_length--;
        vp_process->vp_line[vp_length++] = vp_process->vp_block[vp_at];
      }
      if (vp_process->vp_block[vp_at] != '\n')
        continue;
      vp_total += vprof_i_take_line(vp_process, vp_length, vp_to ? vp_to + vp_total : 0, vp_room - vp_total);
      vp_length = 0;
    }
  }
  vprof_i_close_file(vp_fd);
  return vp_total;
}

/* Appends a module chunk. Its size is that of a first scan and a page more, since the list may grow
 * meanwhile. */
VPROF_I_COLD void vprof_i_append_modules(struct vprof_i_family *vp_family) {
  struct vprof_i_process *vp_process = vp_family->vp_process;
  struct vprof_chunk_header *vp_chunk;
  unsigned long vp_size = sizeof(struct vprof_chunk_header) + vprof_i_scan_maps(vp_process, 0, 0);
  vp_size = (vp_size + VPROF_TRACE_UNIT) / VPROF_TRACE_UNIT * VPROF_TRACE_UNIT;
  vp_chunk = vprof_i_new_chunk(vp_family, VPROF_CHUNK_MODULES, vp_size);
  vp_process->vp_ranges = 0;
  if (!vp_chunk)
    return;
  vp_chunk->vp_thread_index = ~0u;
  vp_chunk->vp_sequence = vp_process->vp_module_chunks++;
  vp_chunk->vp_base_ticks = vprof_i_ticks();
  vprof_i_publish_chunk(vp_chunk);
  /* Release: the text is there when its length is. */
  __atomic_store_n(
      &vp_chunk->vp_committed,
      (vprof_u32)vprof_i_scan_maps(vp_process, (char *)(vp_chunk + 1), vp_size - sizeof(*vp_chunk)),
      __ATOMIC_RELEASE);
  vprof_i_seal_chunk(vp_chunk);
}

/* Makes sure that the module list covers `vp_address`. An address that is nowhere (code made at run time and
 * gone again) is remembered as a page of its own, so that it is looked for only once. */
VPROF_I_COLD void vprof_i_cover_address(struct vprof_i_family *vp_family, unsigned long vp_address) {
  if (vprof_i_known_address(vp_family->vp_process, vp_address))
    return;
  vprof_i_append_modules(vp_family);
  if (!vprof_i_known_address(vp_family->vp_process, vp_address))
    vprof_i_remember_range(vp_family->vp_process, vp_address & ~(VPROF_I_PAGE - 1ul),
                           (vp_address | (VPROF_I_PAGE - 1ul)) + 1);
}

#endif
