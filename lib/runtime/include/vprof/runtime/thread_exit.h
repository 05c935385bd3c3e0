/*
 * A thread begins and ends.
 *
 * The end comes as a call of a thread-specific-data destructor. Other destructors may still run roots after
 * ours, so ours asks to be called again for two more rounds (four are guaranteed) and takes the recorder down
 * in the third. What runs later still finds VPROF_I_NO_RECORDER and stays dormant. The main thread has no
 * such end when the process exits; nothing is lost, only its last chunk has no checksum.
 */
#ifndef VPROF_I_THREAD_EXIT_H
#define VPROF_I_THREAD_EXIT_H
#pragma GCC system_header
#include "calibration.h"
#include "idle.h"

VPROF_I_COLD void vprof_i_take_down(struct vprof_i_recorder *vp_rec) {
  struct vprof_i_family *vp_family = vprof_i_family_now();
  vprof_i_self = VPROF_I_NO_RECORDER;
  if (vp_rec->vp_cookie && vp_rec->vp_cookie == vprof_i_cookie(vp_family)) {
    if (vp_rec->vp_chunk)
      vprof_i_seal_chunk(vp_rec->vp_chunk);
    (void)__atomic_fetch_sub(&vp_family->vp_process->vp_header->vp_live_threads, 1u, __ATOMIC_RELAXED);
  }
  vprof_i_destroy_recorder(vp_rec);
}

VPROF_I_COLD void vprof_i_thread_ends(void *vp_recorder) {
  struct vprof_i_recorder *vp_rec = (struct vprof_i_recorder *)vp_recorder;
  unsigned long vp_signals;
  if (vp_rec != vprof_i_self)
    return;
  vp_signals = vprof_i_block_signals();
  if (vp_rec->vp_open || vp_rec->vp_invocations)
    vprof_i_cut(vp_rec, vp_rec->vp_invocations ? VPROF_CUT_UNIT : VPROF_CUT_THREAD_EXIT);
  vp_rec->vp_depth = 0;
  if (++vp_rec->vp_exit_rounds > 2 || vprof_i_libc_setspecific(vprof_i_family_now()->vp_key, vp_rec))
    vprof_i_take_down(vp_rec);
  vprof_i_restore_signals(vp_signals);
}

/* Gives the calling thread its recorder; VPROF_I_NO_RECORDER if it cannot have one. */
VPROF_I_COLD struct vprof_i_recorder *vprof_i_begin_thread(struct vprof_i_family *vp_family) {
  unsigned long vp_signals = vprof_i_block_signals();
  volatile unsigned long vp_claim;
  if (!vprof_i_self) {
    struct vprof_i_recorder *vp_rec = vprof_i_create_recorder();
    vprof_i_self = vp_rec ? vp_rec : VPROF_I_NO_RECORDER;
    if (!vp_rec) {
      vprof_i_drop(VPROF_DROP_THREAD);
    } else {
      if (vp_family->vp_key_valid) {
        /* setspecific may call the host's malloc, which may be probed */
        (void)vprof_i_begin_probe(vp_rec, &vp_claim);
        (void)vprof_i_libc_setspecific(vp_family->vp_key, vp_rec);
        vprof_i_end_probe(vp_rec);
      }
      if (!__atomic_load_n(&vp_family->vp_cost_q8, __ATOMIC_RELAXED))
        vprof_i_calibrate_probe(vp_family, vp_rec);
    }
  }
  vprof_i_restore_signals(vp_signals);
  return vprof_i_self;
}

/* The object that holds this code may be unloaded by dlclose; no thread must call into it then. */
__attribute__((__destructor__, __unused__, VPROF_I_PLAIN)) static void vprof_i_unload(void) {
  struct vprof_i_family *vp_family = vprof_i_family_now();
  if ((unsigned long)vp_family > 1ul && vprof_i_libc_key_delete &&
      __atomic_exchange_n(&vp_family->vp_key_valid, 0u, __ATOMIC_ACQ_REL))
    (void)vprof_i_libc_key_delete(vp_family->vp_key);
}

#endif
