/*
 * What a probe costs here: pairs of enter and leave on a scratch node, before anything is recorded. The least
 * of several batches, because interruptions only ever add. `inside` is the part that the scratch node itself
 * measured, that is from the clock reading of enter to that of leave; the rest falls into the caller.
 */
#ifndef VPROF_I_CALIBRATION_H
#define VPROF_I_CALIBRATION_H
#pragma GCC system_header
#include "interval.h"

VPROF_I_COLD void vprof_i_calibrate_probe(struct vprof_i_family *vp_family, struct vprof_i_recorder *vp_rec) {
  enum { VPROF_I_BATCHES = 12, VPROF_I_PAIRS = 128 };
  char *vp_frame = (char *)__builtin_frame_address(0);
  void *vp_ret = __builtin_return_address(0);
  unsigned long vp_cost = ~0ul, vp_inside = ~0ul;
  int vp_batch, vp_pair;
  unsigned int vp_root = vprof_i_child(vp_rec, 0, 0, vp_ret, vp_frame);
  (void)vprof_i_push(vp_rec, vp_root, vp_ret, vp_frame, vp_frame);
  vprof_i_set_open(vp_rec, 1);
  for (vp_batch = 0; vp_batch < VPROF_I_BATCHES; vp_batch++) {
    unsigned long vp_start = vprof_i_ticks();
    unsigned long vp_elapsed, vp_measured;
    for (vp_pair = 0; vp_pair < VPROF_I_PAIRS; vp_pair++)
      vprof_i_leave(vprof_i_enter(0, vp_ret, vp_frame));
    vp_elapsed = vprof_i_ticks() - vp_start;
    vp_measured = vp_rec->vp_nodes[vp_rec->vp_nodes[vp_root].vp_last_child].vp_total;
    vp_rec->vp_epoch++;
    vp_rec->vp_touches = 0;
    if (vp_elapsed < vp_cost)
      vp_cost = vp_elapsed;
    if (vp_measured < vp_inside)
      vp_inside = vp_measured;
  }
  vprof_i_set_open(vp_rec, 0);
  vprof_i_clear_interval(vp_rec);
  vprof_i_clear_tree(vp_rec);
  vp_rec->vp_depth = 0;
  vp_family->vp_inside_q8 = vp_inside * 256 / VPROF_I_PAIRS;
  /* Relaxed: threads that calibrate at the same time store about the same. */
  __atomic_store_n(&vp_family->vp_cost_q8, vp_cost * 256 / VPROF_I_PAIRS, __ATOMIC_RELAXED);
}

#endif
