/*
 * A root that never returns: intervals run from the end of one idle call to the beginning of the next, inside
 * the root.
 *
 * The root's entry, and those of functions between it and the idle call, stay on the shadow stack from one
 * interval to the next: what such a function took so far is added when an interval ends, and it starts anew
 * with the next. A longjmp inside the root (error recovery of a server) ends the functions jumped over and
 * nothing else. If the idle call itself is left by longjmp, no interval opens; the next idle call is simply
 * the next.
 *
 * Functions inlined into the root are ended at the idle call: one that was jumped over could not be told from
 * a live one (shadow_stack.h), and would seem to last from then on for ever.
 */
#ifndef VPROF_I_IDLE_H
#define VPROF_I_IDLE_H
#pragma GCC system_header
#include "interval.h"

/* The root function begins: remembers its frame, opens nothing yet. */
VPROF_I_HELPER unsigned long vprof_i_open_idle_root(struct vprof_i_family *vp_family,
                                                    struct vprof_i_recorder *vp_rec, unsigned int vp_id,
                                                    void *vp_ret, char *vp_frame, void *vp_probe) {
  unsigned int vp_node;
  if (!vprof_i_ready(vp_family, vp_rec))
    return 0;
  if (vp_rec->vp_depth) {
    if (vprof_i_undisturbed(vp_rec, vp_frame, vp_probe) ||
        !vprof_i_settle(vp_rec, vp_frame, vp_probe, vprof_i_ticks()))
      return vp_rec->vp_open ? vprof_i_enter_scope(vp_rec, vp_id, vp_ret, vp_frame, vp_probe) : 0;
    vprof_i_cut(vp_rec, VPROF_CUT_LONGJMP);
  }
  vp_rec->vp_idle_token = 0;
  vp_rec->vp_root_id = vp_id;
  vp_node = vprof_i_child(vp_rec, 0, vp_id, vp_ret, vp_probe);
  return vp_node ? vprof_i_push(vp_rec, vp_node, vp_ret, vp_frame, vp_probe) : 0;
}

VPROF_I_HELPER void vprof_i_close_idle_root(struct vprof_i_recorder *vp_rec, unsigned long vp_token,
                                            unsigned long vp_now) {
  if (!vp_rec->vp_depth || vp_rec->vp_stack[1].vp_token != vp_token) {
    vprof_i_leave_scope(vp_rec, vp_token, vp_now);
    return;
  }
  if (vp_rec->vp_open)
    vprof_i_cut(vp_rec, VPROF_CUT_ROOT_EXIT);
  vp_rec->vp_depth = 0;
  vp_rec->vp_idle_token = 0;
}

/* The idle call begins: ends the interval. Returns a token, 0 if the call is outside the root or inside
 * another. */
VPROF_I_HELPER unsigned long vprof_i_begin_idle(struct vprof_i_family *vp_family,
                                                struct vprof_i_recorder *vp_rec, char *vp_frame,
                                                void *vp_probe, unsigned long vp_now) {
  unsigned int vp_at, vp_inlined = 1;
  if (vp_rec->vp_cookie && vprof_i_cookie(vp_family) != vp_rec->vp_cookie)
    vprof_i_become_child(vp_rec);
  if (!vp_rec->vp_depth)
    return 0;
  if (!vprof_i_undisturbed(vp_rec, vp_frame, vp_probe) &&
      vprof_i_settle(vp_rec, vp_frame, vp_probe, vp_now)) {
    vprof_i_cut(vp_rec, VPROF_CUT_LONGJMP);
    return 0;
  }
  if (vp_rec->vp_idle_token && vp_rec->vp_idle_frame > vp_frame)
    return 0;
  while (vp_inlined < vp_rec->vp_depth &&
         vp_rec->vp_stack[vp_inlined + 1].vp_frame == vp_rec->vp_stack[1].vp_frame)
    vp_inlined++;
  if (vp_inlined == vp_rec->vp_depth)
    vprof_i_pop_inlined(vp_rec, vp_now);
  if (vp_rec->vp_open) {
    for (vp_at = 1; vp_at <= vp_rec->vp_depth; vp_at++)
      vprof_i_add_call(vp_rec, vp_rec->vp_stack[vp_at].vp_node, vp_now - vp_rec->vp_stack[vp_at].vp_start);
    vprof_i_end_invocation(vp_rec, vp_rec->vp_stack[1].vp_start, vp_now);
  }
  vp_rec->vp_idle_token = vp_rec->vp_pushes++ << VPROF_I_DEPTH_BITS;
  vp_rec->vp_idle_frame = vp_frame;
  return vp_rec->vp_idle_token;
}

/* The idle call returns: opens the next interval. */
VPROF_I_HELPER void vprof_i_end_idle(struct vprof_i_family *vp_family, struct vprof_i_recorder *vp_rec,
                                     unsigned long vp_token) {
  unsigned long vp_now;
  unsigned int vp_at;
  if (vp_rec->vp_idle_token != vp_token)
    return;
  vp_rec->vp_idle_token = 0;
  if (!vprof_i_ready(vp_family, vp_rec) || !vp_rec->vp_depth)
    return;
  vprof_i_begin_invocation(vp_rec);
  vp_now = vprof_i_ticks();
  for (vp_at = 1; vp_at <= vp_rec->vp_depth; vp_at++)
    vp_rec->vp_stack[vp_at].vp_start = vp_now;
}

#endif
