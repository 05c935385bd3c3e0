/*
 * Writing records into the thread's chunk.
 *
 * A chunk is the thread's own memory that happens to be a file: a record is stored with plain stores, then
 * `committed` with a release store. Whoever reads `committed` with acquire, or finds the file after kill -9,
 * sees whole records below it. States of a chunk:
 *
 *     claimed   space taken from file_bytes, still zero: skipped by readers
 *     current   mapped by its thread, which alone writes it
 *     sealed    checksum written, unmapped; never touched again
 *
 * open_ticks says that an interval is open. It is set before the interval begins and cleared after its record
 * is committed; a reader that finds open_ticks not later than the start of the chunk's last record knows that
 * the process ended between the two and that nothing was open.
 */
#ifndef VPROF_I_RECORD_H
#define VPROF_I_RECORD_H
#pragma GCC system_header
#include "context_tree.h"

VPROF_I_HELPER unsigned char *vprof_i_put(unsigned char *vp_at, unsigned long vp_value) {
  while (vp_value >= 128) {
    *vp_at++ = (unsigned char)(vp_value | 128u);
    vp_value >>= 7;
  }
  *vp_at++ = (unsigned char)vp_value;
  return vp_at;
}

VPROF_I_HELPER unsigned long vprof_i_zigzag(long vp_value) {
  return (unsigned long)vp_value << 1 ^ (unsigned long)(vp_value >> 63);
}

VPROF_I_HELPER unsigned long vprof_i_put_size(unsigned long vp_value) {
  return (70ul - (unsigned long)__builtin_clzl(vp_value | 1ul)) / 7;
}

VPROF_I_HELPER unsigned char *vprof_i_free_space(const struct vprof_i_recorder *vp_rec) {
  return (unsigned char *)(vp_rec->vp_chunk + 1) + vp_rec->vp_chunk->vp_committed;
}

VPROF_I_HELPER unsigned long vprof_i_free_bytes(const struct vprof_i_recorder *vp_rec) {
  return vp_rec->vp_chunk->vp_length - sizeof(struct vprof_chunk_header) - vp_rec->vp_chunk->vp_committed;
}

/* Everything up to `vp_end` is whole records. Release: they are stored before they count. */
VPROF_I_HELPER void vprof_i_commit(struct vprof_i_recorder *vp_rec, const unsigned char *vp_end) {
  __atomic_store_n(&vp_rec->vp_chunk->vp_committed,
                   (vprof_u32)(vp_end - (const unsigned char *)(vp_rec->vp_chunk + 1)), __ATOMIC_RELEASE);
}

/* Relaxed: a reader takes it for a time and nothing else; the order against `committed` is that of the
 * release store there when it is cleared, and does not matter when it is set. */
VPROF_I_HOT void vprof_i_mark_open(struct vprof_i_recorder *vp_rec, unsigned long vp_ticks) {
  __atomic_store_n(&vp_rec->vp_chunk->vp_open_ticks, vp_ticks, __ATOMIC_RELAXED);
}

/* Replaces the thread's chunk by one with room for `vp_need` bytes of records. Returns 0, and keeps the old
 * one, if there is none. Never called inside an interval. */
VPROF_I_COLD int vprof_i_next_chunk(struct vprof_i_recorder *vp_rec, unsigned long vp_need) {
  unsigned long vp_size = vp_rec->vp_chunk_size;
  struct vprof_chunk_header *vp_old = vp_rec->vp_chunk;
  struct vprof_chunk_header *vp_new;
  unsigned long vp_signals;
  vp_need = (vp_need + sizeof(*vp_new) + VPROF_TRACE_UNIT - 1) / VPROF_TRACE_UNIT * VPROF_TRACE_UNIT;
  if (vp_need > VPROF_I_LARGEST_CHUNK)
    return 0;
  if (vp_size < vp_need)
    vp_size = vp_need;
  vp_signals = vprof_i_block_signals();
  vp_new = vprof_i_new_chunk(vprof_i_family_now(), VPROF_CHUNK_THREAD, vp_size);
  vprof_i_restore_signals(vp_signals);
  if (!vp_new)
    return 0;
  vp_new->vp_sequence = vp_rec->vp_chunks++;
  vp_new->vp_thread_id = vprof_i_identity(VPROF_I_SYS_GETTID);
  vp_new->vp_thread_index = vp_rec->vp_thread_index;
  vp_new->vp_base_ticks = vp_rec->vp_last_start = vprof_i_ticks();
  if (vp_old)
    vp_new->vp_open_ticks = vp_old->vp_open_ticks;
  vprof_i_publish_chunk(vp_new);
  vp_rec->vp_chunk = vp_new;
  if (vp_old) {
    __atomic_store_n(&vp_old->vp_open_ticks, 0ul, __ATOMIC_RELAXED);
    vprof_i_seal_chunk(vp_old);
    if (vp_rec->vp_chunk_size < VPROF_I_USUAL_CHUNK)
      vp_rec->vp_chunk_size *= 2;
  }
  return 1;
}

/* Room for `vp_need` bytes in the current chunk, or in a new one. */
VPROF_I_HELPER int vprof_i_make_room(struct vprof_i_recorder *vp_rec, unsigned long vp_need) {
  return vprof_i_free_bytes(vp_rec) >= vp_need || vprof_i_next_chunk(vp_rec, vp_need);
}

/* Extends the module list to the addresses of the nodes that are to be defined. */
VPROF_I_COLD void vprof_i_cover_nodes(struct vprof_i_recorder *vp_rec) {
  struct vprof_i_family *vp_family = vprof_i_family_now();
  unsigned long vp_signals = vprof_i_block_signals();
  unsigned int vp_at;
  vprof_i_lock(vp_family->vp_process);
  for (vp_at = vp_rec->vp_emitted + 1; vp_at <= vp_rec->vp_node_count; vp_at++) {
    vprof_i_cover_address(vp_family, (unsigned long)vp_rec->vp_nodes[vp_at].vp_probe);
    vprof_i_cover_address(vp_family, (unsigned long)vp_rec->vp_nodes[vp_at].vp_ret);
  }
  vprof_i_unlock(vp_family->vp_process);
  vprof_i_restore_signals(vp_signals);
}

/* Defines the nodes that the file does not know yet. Returns 0 if there is no room for all. */
VPROF_I_COLD int vprof_i_emit_nodes(struct vprof_i_recorder *vp_rec) {
  enum { VPROF_I_NODE_BYTES = 1 + 2 * 5 + 2 * 10 };
  vprof_i_cover_nodes(vp_rec);
  while (vp_rec->vp_emitted < vp_rec->vp_node_count) {
    const struct vprof_i_node *vp_node = &vp_rec->vp_nodes[vp_rec->vp_emitted + 1];
    unsigned char *vp_at;
    if (!vprof_i_make_room(vp_rec, VPROF_I_NODE_BYTES))
      return 0;
    vp_at = vprof_i_free_space(vp_rec);
    *vp_at++ = VPROF_RECORD_NODE;
    vp_at = vprof_i_put(vp_at, vp_node->vp_parent);
    vp_at = vprof_i_put(vp_at, vp_node->vp_id);
    vp_at = vprof_i_put(vp_at, (unsigned long)vp_node->vp_ret);
    vp_at = vprof_i_put(vp_at, (unsigned long)vp_node->vp_probe);
    vprof_i_commit(vp_rec, vp_at);
    vp_rec->vp_emitted++;
  }
  return 1;
}

/* Bytes that the interval's entries take. */
VPROF_I_HELPER unsigned long vprof_i_entries_size(const struct vprof_i_recorder *vp_rec) {
  unsigned long vp_size = 0;
  unsigned int vp_before = 0, vp_at;
  for (vp_at = 0; vp_at < vp_rec->vp_touches; vp_at++) {
    unsigned int vp_number = vp_rec->vp_touched[vp_at];
    const struct vprof_i_node *vp_node = &vp_rec->vp_nodes[vp_number];
    vp_size += vprof_i_put_size(vprof_i_zigzag((long)vp_number - (long)vp_before)) +
               vprof_i_put_size(vp_node->vp_calls) + vprof_i_put_size(vp_node->vp_total);
    vp_before = vp_number;
  }
  return vp_size;
}

VPROF_I_HELPER unsigned char *vprof_i_put_entries(const struct vprof_i_recorder *vp_rec,
                                                  unsigned char *vp_at) {
  unsigned int vp_before = 0, vp_index;
  for (vp_index = 0; vp_index < vp_rec->vp_touches; vp_index++) {
    unsigned int vp_number = vp_rec->vp_touched[vp_index];
    const struct vprof_i_node *vp_node = &vp_rec->vp_nodes[vp_number];
    vp_at = vprof_i_put(vp_at, vprof_i_zigzag((long)vp_number - (long)vp_before));
    vp_at = vprof_i_put(vp_at, vp_node->vp_calls);
    vp_at = vprof_i_put(vp_at, vp_node->vp_total);
    vp_before = vp_number;
  }
  return vp_at;
}

VPROF_I_HELPER unsigned char *vprof_i_put_start(struct vprof_i_recorder *vp_rec, unsigned char *vp_at,
                                                unsigned long vp_start) {
  vp_at = vprof_i_put(vp_at, vprof_i_zigzag((long)(vp_start - vp_rec->vp_last_start)));
  vp_rec->vp_last_start = vp_start;
  return vp_at;
}

/* Writes the complete interval that the touched nodes hold, or counts why it could not. */
VPROF_I_HELPER void vprof_i_write_interval(struct vprof_i_recorder *vp_rec, unsigned long vp_start,
                                           unsigned long vp_duration, unsigned long vp_invocations) {
  enum { VPROF_I_HEAD_BYTES = 1 + 5 * 10 };
  unsigned long vp_need = VPROF_I_HEAD_BYTES + vprof_i_entries_size(vp_rec);
  unsigned char *vp_at;
  if (vp_need > VPROF_I_LARGEST_CHUNK - sizeof(struct vprof_chunk_header)) {
    vprof_i_drop(VPROF_DROP_SIZE);
    return;
  }
  if ((vp_rec->vp_emitted < vp_rec->vp_node_count && !vprof_i_emit_nodes(vp_rec)) ||
      !vprof_i_make_room(vp_rec, vp_need)) {
    vprof_i_drop(VPROF_DROP_SPACE);
    return;
  }
  vp_at = vprof_i_free_space(vp_rec);
  *vp_at++ = VPROF_RECORD_INTERVAL;
  *vp_at++ = 0; /* flags */
  vp_at = vprof_i_put_start(vp_rec, vp_at, vp_start);
  vp_at = vprof_i_put(vp_at, vp_duration);
  vp_at = vprof_i_put(vp_at, vp_invocations);
  vp_at = vprof_i_put(vp_at, vp_rec->vp_touches);
  vprof_i_commit(vp_rec, vprof_i_put_entries(vp_rec, vp_at));
}

/* Writes that an interval did not complete. */
VPROF_I_COLD void vprof_i_write_cut(struct vprof_i_recorder *vp_rec, enum vprof_cut_reason vp_reason,
                                    unsigned long vp_start, unsigned long vp_elapsed) {
  unsigned char *vp_at;
  if (!vprof_i_make_room(vp_rec, 1 + 3 * 10)) {
    vprof_i_drop(VPROF_DROP_SPACE);
    return;
  }
  vp_at = vprof_i_free_space(vp_rec);
  *vp_at++ = VPROF_RECORD_CUT;
  *vp_at++ = (unsigned char)vp_reason;
  vp_at = vprof_i_put_start(vp_rec, vp_at, vp_start);
  vprof_i_commit(vp_rec, vprof_i_put(vp_at, vp_elapsed));
}

#endif
