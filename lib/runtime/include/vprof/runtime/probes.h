/* The functions that the probes call; probe.h declares them. */
#ifndef VPROF_I_PROBES_H
#define VPROF_I_PROBES_H
#pragma GCC system_header
#include "thread_exit.h"

#ifdef __cplusplus
extern "C" {
#endif

VPROF_I_PROBE unsigned long vprof_i_enter(unsigned int vp_id, void *vp_ret, void *vp_frame) {
  struct vprof_i_recorder *vp_rec = vprof_i_self;
  volatile unsigned long vp_claim;
  void *vp_probe = __builtin_return_address(0);
  unsigned long vp_token = 0;
  if (VPROF_I_UNLIKELY((unsigned long)vp_rec <= 1ul) || !vprof_i_begin_probe(vp_rec, &vp_claim))
    return 0;
  if (VPROF_I_LIKELY(vprof_i_undisturbed(vp_rec, (char *)vp_frame, vp_probe)) ||
      !vprof_i_settle(vp_rec, (char *)vp_frame, vp_probe, vprof_i_ticks()))
    vp_token = vprof_i_enter_scope(vp_rec, vp_id, vp_ret, (char *)vp_frame, vp_probe);
  else
    vprof_i_cut(vp_rec, VPROF_CUT_LONGJMP);
  vprof_i_end_probe(vp_rec);
  return vp_token;
}

VPROF_I_PROBE void vprof_i_leave(unsigned long vp_token) {
  struct vprof_i_recorder *vp_rec = vprof_i_self;
  volatile unsigned long vp_claim;
  /* The clock is read with the recorder claimed, else a signal handler in between would be the callee of a
   * scope that has ended. */
  if (VPROF_I_UNLIKELY((unsigned long)vp_rec <= 1ul) ||
      VPROF_I_UNLIKELY(!vprof_i_begin_probe(vp_rec, &vp_claim)))
    return;
  vprof_i_leave_scope(vp_rec, vp_token, vprof_i_ticks());
  vprof_i_end_probe(vp_rec);
}

VPROF_I_PROBE void vprof_i_land(unsigned long vp_token) {
  struct vprof_i_recorder *vp_rec = vprof_i_self;
  volatile unsigned long vp_claim;
  if ((unsigned long)vp_rec <= 1ul || !vprof_i_begin_probe(vp_rec, &vp_claim))
    return;
  vprof_i_leave_above(vp_rec, vp_token, vprof_i_ticks());
  vprof_i_end_probe(vp_rec);
}

VPROF_I_PROBE unsigned long vprof_i_root_enter(unsigned int vp_id, void *vp_ret, void *vp_frame) {
  struct vprof_i_family *vp_family = vprof_i_family_now();
  struct vprof_i_recorder *vp_rec;
  volatile unsigned long vp_claim;
  void *vp_probe = __builtin_return_address(0);
  unsigned long vp_token;
  if (VPROF_I_LIKELY(vp_family == VPROF_I_OFF))
    return 0;
  if (!vp_family)
    vp_family = vprof_i_decide();
  if (vp_family == VPROF_I_OFF)
    return 0;
  vp_rec = vprof_i_self ? vprof_i_self : vprof_i_begin_thread(vp_family);
  if (vp_rec == VPROF_I_NO_RECORDER || !vprof_i_begin_probe(vp_rec, &vp_claim))
    return 0;
  if (vprof_i_mode() & VPROF_I_MODE_IDLE)
    vp_token = vprof_i_open_idle_root(vp_family, vp_rec, vp_id, vp_ret, (char *)vp_frame, vp_probe);
  else
    vp_token = vprof_i_open_root_scope(vp_family, vp_rec, vp_id, vp_ret, (char *)vp_frame, vp_probe);
  vprof_i_end_probe(vp_rec);
  return vp_token;
}

VPROF_I_PROBE void vprof_i_root_leave(unsigned long vp_token) {
  struct vprof_i_recorder *vp_rec = vprof_i_self;
  volatile unsigned long vp_claim;
  unsigned long vp_now;
  if ((unsigned long)vp_rec <= 1ul || !vprof_i_begin_probe(vp_rec, &vp_claim))
    return;
  vp_now = vprof_i_ticks();
  if (vprof_i_mode() & VPROF_I_MODE_IDLE)
    vprof_i_close_idle_root(vp_rec, vp_token, vp_now);
  else
    vprof_i_close_root_token(vp_rec, vp_token, vp_now);
  vprof_i_end_probe(vp_rec);
}

VPROF_I_PROBE unsigned long vprof_i_idle_enter(unsigned int vp_id, void *vp_ret, void *vp_frame) {
  unsigned long vp_now;
  struct vprof_i_recorder *vp_rec = vprof_i_self;
  volatile unsigned long vp_claim;
  unsigned long vp_token;
  (void)vp_id;
  (void)vp_ret;
  if ((unsigned long)vp_rec <= 1ul || !vp_rec->vp_depth)
    return 0;
  if (!vprof_i_begin_probe(vp_rec, &vp_claim))
    return 0;
  vp_now = vprof_i_ticks();
  vp_token =
      vprof_i_begin_idle(vprof_i_family_now(), vp_rec, (char *)vp_frame, __builtin_return_address(0), vp_now);
  vprof_i_end_probe(vp_rec);
  return vp_token;
}

VPROF_I_PROBE void vprof_i_idle_leave(unsigned long vp_token) {
  struct vprof_i_recorder *vp_rec = vprof_i_self;
  volatile unsigned long vp_claim;
  if ((unsigned long)vp_rec <= 1ul || !vprof_i_begin_probe(vp_rec, &vp_claim))
    return;
  vprof_i_end_idle(vprof_i_family_now(), vp_rec, vp_token);
  vprof_i_end_probe(vp_rec);
}

VPROF_I_PROBE unsigned int vprof_i_unit_begin(unsigned int vp_id) {
  struct vprof_i_recorder *vp_rec = vprof_i_self;
  (void)vp_id;
  if ((unsigned long)vp_rec > 1ul) {
    if (!vp_rec->vp_unit_open)
      vp_rec->vp_unit_open = 1;
    else if (vp_rec->vp_unit_closing)
      vp_rec->vp_unit_again = 1;
  }
  return 0;
}

VPROF_I_PROBE unsigned int vprof_i_unit_end(unsigned int vp_id) {
  struct vprof_i_recorder *vp_rec = vprof_i_self;
  (void)vp_id;
  if ((unsigned long)vp_rec > 1ul && (vp_rec->vp_unit_open || !(vprof_i_mode() & VPROF_I_MODE_UNIT_BEGIN))) {
    vp_rec->vp_unit_closing = 1;
    vp_rec->vp_unit_again = 0;
  }
  return 0;
}

#ifdef __cplusplus
}
#endif

#endif
