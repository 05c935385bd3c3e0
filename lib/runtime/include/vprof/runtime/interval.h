/*
 * Intervals.
 *
 * An invocation is one stretch of time inside the root: a call of the root function, a pass of the root loop,
 * or the time between two idle calls. Without unit markers an invocation is an interval. With a unit-end
 * marker, invocations add up until the one in which the marker fired; with a unit-begin marker too,
 * invocations count only from the one on in which that fired. Node values are summed over all invocations of
 * an interval, because they are cleared at its end only.
 *
 *     nothing --begin--> invocation (armed) --end--> nothing, record written
 *                            ^                   \-> unit waits (not armed) --begin--> invocation ..
 *
 * Everything that takes time (chunk, file, nodes to define) is done between invocations: before the clock is
 * read at the start, after it is read at the end.
 */
#ifndef VPROF_I_INTERVAL_H
#define VPROF_I_INTERVAL_H
#pragma GCC system_header
#include "record.h"
#include "shadow_stack.h"

VPROF_I_HOT void vprof_i_set_open(struct vprof_i_recorder *vp_rec, unsigned int vp_open) {
  vp_rec->vp_open = vp_open;
  vprof_i_armed = vp_open;
}

/* Ready for the next interval: no values, no unit. */
VPROF_I_HELPER void vprof_i_clear_interval(struct vprof_i_recorder *vp_rec) {
  vp_rec->vp_epoch++;
  vp_rec->vp_touches = 0;
  vp_rec->vp_torn = 0;
  vp_rec->vp_unit_start = vp_rec->vp_unit_ticks = vp_rec->vp_invocations = 0;
  vp_rec->vp_unit_open = vp_rec->vp_unit_closing = vp_rec->vp_unit_again = 0;
}

/* ---- fork ---- */

/* This thread finds itself in a child process. What was open goes on in the parent; here it is dropped. The
 * parent's chunk is not mapped in the child and only its address is forgotten. The entry of a root with an
 * idle function stays: its frame is alive here too. */
VPROF_I_COLD void vprof_i_become_child(struct vprof_i_recorder *vp_rec) {
  int vp_keep_root = (vprof_i_mode() & VPROF_I_MODE_IDLE) != 0 && vp_rec->vp_depth > 0;
  if (vp_rec->vp_open || vp_rec->vp_invocations)
    vprof_i_drop(VPROF_DROP_FORK);
  vprof_i_set_open(vp_rec, 0);
  vprof_i_clear_interval(vp_rec);
  vprof_i_clear_tree(vp_rec);
  vp_rec->vp_depth = 0;
  if (vp_keep_root) {
    struct vprof_i_entry *vp_root = &vp_rec->vp_stack[1];
    vp_root->vp_node = vprof_i_child(vp_rec, 0, vp_rec->vp_root_id, vp_root->vp_ret, vp_root->vp_probe);
    vp_rec->vp_depth = 1;
  }
  vp_rec->vp_cookie = 0;
  vp_rec->vp_chunk = 0;
  vp_rec->vp_chunk_size = VPROF_I_FIRST_CHUNK;
  vp_rec->vp_chunks = vp_rec->vp_emitted = 0;
}

/* The way to readiness when something is missing: file, place in it, chunk. 0: nothing can be recorded
 * now. */
VPROF_I_COLD int vprof_i_get_ready(struct vprof_i_family *vp_family, struct vprof_i_recorder *vp_rec) {
  struct vprof_i_process *vp_process = vp_family->vp_process;
  unsigned long vp_cookie = vprof_i_cookie(vp_family);
  if (vp_rec->vp_cookie && vp_rec->vp_cookie != vp_cookie)
    vprof_i_become_child(vp_rec);
  if (__atomic_load_n(&vp_process->vp_stopped, __ATOMIC_RELAXED)) {
    vprof_i_drop(VPROF_DROP_SPACE);
    return 0;
  }
  if (!vp_rec->vp_cookie) {
    vp_cookie = vprof_i_begin_file(vp_family);
    if (vp_cookie) {
      vp_rec->vp_thread_index = __atomic_fetch_add(&vp_process->vp_threads, 1u, __ATOMIC_RELAXED);
      (void)__atomic_fetch_add(&vp_process->vp_header->vp_live_threads, 1u, __ATOMIC_RELAXED);
      vp_rec->vp_cookie = vp_cookie;
    }
  }
  if (vp_rec->vp_cookie && vprof_i_next_chunk(vp_rec, 0))
    return 1;
  vprof_i_drop(VPROF_DROP_SPACE);
  return 0;
}

/* Before an invocation: is there a chunk of this very process to write to? */
VPROF_I_HOT int vprof_i_ready(struct vprof_i_family *vp_family, struct vprof_i_recorder *vp_rec) {
  if (VPROF_I_LIKELY(vp_rec->vp_chunk && vprof_i_cookie(vp_family) == vp_rec->vp_cookie))
    return 1;
  return vprof_i_get_ready(vp_family, vp_rec);
}

/* ---- begin and end ---- */

/* Begins an invocation; the caller then reads the clock into the entries' starts, last of all. */
VPROF_I_HELPER void vprof_i_begin_invocation(struct vprof_i_recorder *vp_rec) {
  if (!vp_rec->vp_invocations) {
    vp_rec->vp_first_token = vp_rec->vp_pushes << VPROF_I_DEPTH_BITS;
    vprof_i_mark_open(vp_rec, vprof_i_ticks());
  }
  vprof_i_set_open(vp_rec, 1);
}

/* The interval is over: writes it, and is ready for the next. */
VPROF_I_HELPER void vprof_i_finish_interval(struct vprof_i_recorder *vp_rec, unsigned long vp_now) {
  unsigned int vp_again = vp_rec->vp_unit_again;
  if (vp_rec->vp_torn)
    vprof_i_write_cut(vp_rec, VPROF_CUT_LONGJMP, vp_rec->vp_unit_start, vp_now - vp_rec->vp_unit_start);
  else
    vprof_i_write_interval(vp_rec, vp_rec->vp_unit_start, vp_rec->vp_unit_ticks, vp_rec->vp_invocations);
  vprof_i_mark_open(vp_rec, 0);
  vprof_i_clear_interval(vp_rec);
  vp_rec->vp_unit_open = vp_again;
  vprof_i_refresh_clocks(vprof_i_family_now(), vp_now);
}

/* Ends an invocation whose values have been added up: start and end are those of the root's entry. */
VPROF_I_HELPER void vprof_i_end_invocation(struct vprof_i_recorder *vp_rec, unsigned long vp_start,
                                           unsigned long vp_now) {
  unsigned int vp_mode = vprof_i_mode();
  vprof_i_set_open(vp_rec, 0);
  if (vprof_i_cookie(vprof_i_family_now()) != vp_rec->vp_cookie) {
    vp_rec->vp_invocations++;
    vprof_i_become_child(vp_rec);
    return;
  }
  if (!vp_rec->vp_invocations++)
    vp_rec->vp_unit_start = vp_start;
  vp_rec->vp_unit_ticks += vp_now - vp_start;
  if ((vp_mode & VPROF_I_MODE_UNIT_BEGIN) && !vp_rec->vp_unit_open) {
    vprof_i_mark_open(vp_rec, 0);
    vprof_i_clear_interval(vp_rec);
    return;
  }
  if (!(vp_mode & VPROF_I_MODE_UNITS) || vp_rec->vp_unit_closing)
    vprof_i_finish_interval(vp_rec, vp_now);
}

/* Ends the invocation with everything on the stack. */
VPROF_I_HELPER void vprof_i_close_root_scope(struct vprof_i_recorder *vp_rec, unsigned long vp_now) {
  unsigned long vp_start = vp_rec->vp_stack[1].vp_start;
  while (vp_rec->vp_depth)
    vprof_i_pop(vp_rec, vp_now);
  vprof_i_end_invocation(vp_rec, vp_start, vp_now);
}

/* Ends what is open without a result, and empties the stack. */
VPROF_I_COLD void vprof_i_cut(struct vprof_i_recorder *vp_rec, enum vprof_cut_reason vp_reason) {
  unsigned long vp_start = vp_rec->vp_invocations ? vp_rec->vp_unit_start : vp_rec->vp_stack[1].vp_start;
  int vp_counts = vp_rec->vp_open || vp_rec->vp_invocations;
  if ((vprof_i_mode() & VPROF_I_MODE_UNIT_BEGIN) && !vp_rec->vp_unit_open)
    vp_counts = 0;
  vp_rec->vp_depth = 0;
  if (vp_rec->vp_cookie && vprof_i_cookie(vprof_i_family_now()) != vp_rec->vp_cookie) {
    vprof_i_become_child(vp_rec);
    return;
  }
  if (vp_counts)
    vprof_i_write_cut(vp_rec, vp_reason, vp_start, vprof_i_ticks() - vp_start);
  if (vp_rec->vp_chunk)
    vprof_i_mark_open(vp_rec, 0);
  vprof_i_set_open(vp_rec, 0);
  vprof_i_clear_interval(vp_rec);
}

/* ---- roots without an idle function ---- */

/* Begins an interval or, if one is running, enters the root as an ordinary function. Returns a token or 0. */
VPROF_I_HELPER unsigned long vprof_i_open_root_scope(struct vprof_i_family *vp_family,
                                                     struct vprof_i_recorder *vp_rec, unsigned int vp_id,
                                                     void *vp_ret, char *vp_frame, void *vp_probe) {
  unsigned long vp_token = 0;
  unsigned int vp_node;
  if (!vprof_i_ready(vp_family, vp_rec))
    return 0;
  if (VPROF_I_UNLIKELY(vp_rec->vp_depth != 0)) {
    const struct vprof_i_entry *vp_root = &vp_rec->vp_stack[1];
    if (vprof_i_undisturbed(vp_rec, vp_frame, vp_probe) ||
        !vprof_i_settle(vp_rec, vp_frame, vp_probe, vprof_i_ticks()))
      return vprof_i_enter_scope(vp_rec, vp_id, vp_ret, vp_frame, vp_probe);
    /* A longjmp back to the head of the loop ends the pass as `continue` does. */
    if ((vprof_i_mode() & VPROF_I_MODE_LOOP) && vp_root->vp_frame == vp_frame &&
        vp_root->vp_probe == vp_probe)
      vprof_i_close_root_scope(vp_rec, vprof_i_ticks());
    else
      vprof_i_cut(vp_rec, VPROF_CUT_LONGJMP);
  }
  vp_node = vprof_i_child(vp_rec, 0, vp_id, vp_ret, vp_probe);
  if (vp_node)
    vp_token = vprof_i_push(vp_rec, vp_node, vp_ret, vp_frame, vp_probe);
  if (vp_token) {
    vprof_i_begin_invocation(vp_rec);
    vp_rec->vp_stack[1].vp_start = vprof_i_ticks();
  }
  return vp_token;
}

VPROF_I_HELPER void vprof_i_close_root_token(struct vprof_i_recorder *vp_rec, unsigned long vp_token,
                                             unsigned long vp_now) {
  if (vp_rec->vp_depth && vp_rec->vp_stack[1].vp_token == vp_token)
    vprof_i_close_root_scope(vp_rec, vp_now);
  else
    vprof_i_leave_scope(vp_rec, vp_token, vp_now);
}

#endif
