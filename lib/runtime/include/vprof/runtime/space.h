/*
 * Space in the trace file.
 *
 * No descriptor stays open: a server that closes all descriptors above 2, or counts them, or is short of
 * them, notices nothing. The file is opened by name for the moment in which a chunk is mapped, and never
 * inside an interval.
 *
 * Space is handed out by a compare-and-swap on file_bytes in the mapped header, so threads do not wait for
 * each other. It is then allocated (fallocate), because writing to a hole of a mapped file on a full disk
 * would end the host by SIGBUS; and only below RLIMIT_FSIZE, because growing past it would end the host by
 * SIGXFSZ. Space whose chunk could not be mapped is given back if it is still the last, else it stays a gap
 * of zeros, which readers skip unit by unit.
 *
 * Mappings are not inherited (MADV_DONTFORK): a child cannot write into its parent's file even by mistake.
 */
#ifndef VPROF_I_SPACE_H
#define VPROF_I_SPACE_H
#pragma GCC system_header
#include "crc32c.h"
#include "process.h"

/* For a file system without fallocate. 0 on success, else an error number. */
VPROF_I_COLD int vprof_i_write_zeros(int vp_fd, unsigned long vp_offset, unsigned long vp_size) {
  static const char vp_zeros[VPROF_I_PAGE / 8] = {0};
  unsigned long vp_end = vp_offset + vp_size;
  while (vp_offset < vp_end) {
    unsigned long vp_part = vp_end - vp_offset < sizeof(vp_zeros) ? vp_end - vp_offset : sizeof(vp_zeros);
    long vp_result = vprof_i_syscall(VPROF_I_SYS_PWRITE, (unsigned long)vp_fd, (unsigned long)vp_zeros,
                                     vp_part, vp_offset, 0, 0);
    if (vp_result <= 0)
      return vp_result ? (int)-vp_result : VPROF_I_EOPNOTSUPP;
    vp_offset += (unsigned long)vp_result;
  }
  return 0;
}

/* Maps [offset, offset + size) of the open file, allocated. Returns 0 if that is impossible. */
VPROF_I_COLD void *vprof_i_map_space(int vp_fd, unsigned long vp_offset, unsigned long vp_size) {
  long vp_error;
  void *vp_mapped;
  if (vp_offset + vp_size > vprof_i_soft_limit(VPROF_I_RLIMIT_FSIZE))
    return 0;
  vp_error = vprof_i_syscall(VPROF_I_SYS_FALLOCATE, (unsigned long)vp_fd, 0, vp_offset, vp_size, 0, 0);
  if (vp_error == -VPROF_I_EOPNOTSUPP || vp_error == -VPROF_I_ENOSYS)
    vp_error = vprof_i_write_zeros(vp_fd, vp_offset, vp_size);
  if (vp_error)
    return 0;
  vp_mapped = vprof_i_mmap(vp_size, VPROF_I_PROT_RW, VPROF_I_MAP_SHARED, vp_fd, vp_offset);
  if (vp_mapped)
    (void)vprof_i_madvise(vp_mapped, vp_size, VPROF_I_MADV_DONTFORK);
  return vp_mapped;
}

/* Takes `size` bytes of the file for one owner; returns their offset, 0 if the limit is reached. Relaxed: the
 * number carries nothing but itself. */
VPROF_I_COLD unsigned long vprof_i_claim(struct vprof_i_family *vp_family,
                                         struct vprof_file_header *vp_header, unsigned long vp_size) {
  vprof_u64 vp_offset = __atomic_load_n(&vp_header->vp_file_bytes, __ATOMIC_RELAXED);
  do
    if (vp_offset + vp_size > vp_family->vp_limit_bytes)
      return 0;
  while (!__atomic_compare_exchange_n(&vp_header->vp_file_bytes, &vp_offset, vp_offset + vp_size, 0,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return vp_offset;
}

/* Counts chunks refused in a row; after many the process stops asking. */
VPROF_I_COLD void vprof_i_note_outcome(struct vprof_i_process *vp_process, int vp_good) {
  if (vp_good)
    __atomic_store_n(&vp_process->vp_failures, 0u, __ATOMIC_RELAXED);
  else if (__atomic_add_fetch(&vp_process->vp_failures, 1u, __ATOMIC_RELAXED) >= VPROF_I_FAILURES_MAX)
    __atomic_store_n(&vp_process->vp_stopped, 1u, __ATOMIC_RELAXED);
}

/* A new chunk of `size` bytes (a multiple of VPROF_TRACE_UNIT), zeroed but for kind and length; 0 if there is
 * none to be had. The caller fills in the rest of the header, then publishes it. Signals must be blocked, so
 * that no descriptor is left behind. */
VPROF_I_COLD struct vprof_chunk_header *vprof_i_new_chunk(struct vprof_i_family *vp_family,
                                                          unsigned int vp_kind, unsigned long vp_size) {
  struct vprof_i_process *vp_process = vp_family->vp_process;
  struct vprof_file_header *vp_header = vp_process->vp_header;
  struct vprof_chunk_header *vp_chunk = 0;
  unsigned long vp_offset = vprof_i_claim(vp_family, vp_header, vp_size);
  if (vp_offset) {
    int vp_fd = vprof_i_open_file(vp_process->vp_path, VPROF_I_O_RDWR | VPROF_I_O_NOFOLLOW);
    if (vp_fd >= 0) {
      vp_chunk = (struct vprof_chunk_header *)vprof_i_map_space(vp_fd, vp_offset, vp_size);
      vprof_i_close_file(vp_fd);
    }
    if (!vp_chunk) {
      vprof_u64 vp_end = vp_offset + vp_size;
      (void)__atomic_compare_exchange_n(&vp_header->vp_file_bytes, &vp_end, vp_offset, 0, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED);
    }
  }
  vprof_i_note_outcome(vp_process, vp_chunk != 0);
  if (vp_chunk) {
    vp_chunk->vp_kind = vp_kind;
    vp_chunk->vp_length = (vprof_u32)vp_size;
  }
  return vp_chunk;
}

/* Makes the chunk one for readers. Release: its header is filled in. */
VPROF_I_HELPER void vprof_i_publish_chunk(struct vprof_chunk_header *vp_chunk) {
  __atomic_store_n(&vp_chunk->vp_magic, VPROF_CHUNK_MAGIC, __ATOMIC_RELEASE);
}

/* Writes the checksum of a chunk that is full or whose owner ends, and unmaps it. */
VPROF_I_COLD void vprof_i_seal_chunk(struct vprof_chunk_header *vp_chunk) {
  vp_chunk->vp_crc = vprof_i_crc32c((const unsigned char *)(vp_chunk + 1), vp_chunk->vp_committed);
  vprof_i_munmap(vp_chunk, vp_chunk->vp_length);
}

#endif
