/*
 * The shadow stack: the probed scopes that are open in this thread, outermost first.
 *
 * A scope normally ends by its leave probe. A longjmp, or an exception that passes C code, jumps over frames
 * without running it, and their entries stay behind. They are found at the next probe, by one of these signs
 * on the entry on top (e) when a function with frame address f begins (stacks grow downward):
 *
 *     e.frame < f                           a live caller's frame lies above its callee's
 *     e.frame == f, same probe              the same scope begins anew in the same frame
 *     e.frame >= f, but its frame no longer the frame's memory has been used for something else since
 *       holds the return address and the
 *       caller's frame address it held
 *
 * Equal frames with different probes are no sign: a function inlined into another, or a wrapped call, shares
 * the frame. But when entries of other frames prove that a jump took place, the inlined ones on top of what
 * remains are taken away with them: compilers do not inline a function that calls setjmp, so the jump has
 * most likely landed in the function itself. Where it has not (a function without a probe caught it), some
 * time of the inlined function falls to its caller; leaving them would let them last until the caller ends. A
 * jump between functions inlined into one frame leaves no sign at all.
 *
 * A frame is read only within 64 KiB above f, where it is part of the stack in use. Memory that nobody has
 * written since hides a jump until somebody does.
 *
 * None of this holds across stacks. If e.frame is more than 8 MiB away from f, another stack is in use (a
 * fiber, or a handler on an alternate stack) and e stays, unless e belongs to this thread's alternate signal
 * stack and f does not: then a handler was left by siglongjmp. Below that distance stacks are told apart by
 * the alternate signal stack alone; fibers whose stacks lie closer together can be mistaken for each other,
 * which shows later, when a scope ends whose entry was taken away. Tokens are unique, so such an end is never
 * taken for that of another scope; the interval in which it happens is marked torn and is not reported as
 * complete.
 */
#ifndef VPROF_I_SHADOW_STACK_H
#define VPROF_I_SHADOW_STACK_H
#pragma GCC system_header
#include "context_tree.h"

/* A thread's alternate signal stack, asked for only when an entry looks stale. */
struct vprof_i_signal_stack {
  char *vp_first;
  char *vp_end;
  int vp_in_use;
};

VPROF_I_COLD void vprof_i_find_signal_stack(struct vprof_i_signal_stack *vp_stack) {
  unsigned long vp_state[3]; /* ss_sp, ss_flags, ss_size */
  vp_state[0] = vp_state[1] = vp_state[2] = 0;
  (void)vprof_i_syscall(VPROF_I_SYS_SIGALTSTACK, 0, (unsigned long)vp_state, 0, 0, 0, 0);
  vp_stack->vp_first = (char *)vp_state[0];
  vp_stack->vp_end = vp_stack->vp_first + vp_state[2];
  vp_stack->vp_in_use = (int)(vp_state[1] & VPROF_I_SS_ONSTACK);
}

VPROF_I_HELPER int vprof_i_on_signal_stack(const struct vprof_i_signal_stack *vp_stack,
                                           const char *vp_frame) {
  return vp_frame >= vp_stack->vp_first && vp_frame < vp_stack->vp_end;
}

/* A return address as it lies in memory, without the signature that pointer authentication adds. */
VPROF_I_HOT void *vprof_i_unsigned_address(void *vp_value) {
#if defined(__aarch64__)
  register void *vp_link __asm__("x30") = vp_value;
  __asm__("hint 7" : "+r"(vp_link)); /* xpaclri; no operation on processors without pointer authentication */
  vp_value = vp_link;
#endif
  return vp_value;
}

/* Does the frame still hold what it held when the entry was pushed? */
VPROF_I_HOT int vprof_i_slot_intact(const struct vprof_i_entry *vp_entry) {
  void *const volatile *vp_slot = vp_entry->vp_slot;
  return vprof_i_unsigned_address(vp_slot[1]) == vp_entry->vp_ret && vp_slot[0] == vp_entry->vp_caller;
}

VPROF_I_HOT int vprof_i_slot_overwritten(const struct vprof_i_entry *vp_entry, const char *vp_frame) {
  return (unsigned long)(vp_entry->vp_frame - vp_frame) < VPROF_I_NEAR && !vprof_i_slot_intact(vp_entry);
}

/* Entries on top that share the frame: the function's own and those of what was inlined or wrapped in it.
 * Returns the lowest one with this probe, 0 if there is none. */
VPROF_I_HELPER unsigned int vprof_i_same_scope(const struct vprof_i_recorder *vp_rec, const char *vp_frame,
                                               const void *vp_probe) {
  unsigned int vp_at, vp_found = 0;
  for (vp_at = vp_rec->vp_depth; vp_at && vp_rec->vp_stack[vp_at].vp_frame == vp_frame; vp_at--)
    if (vp_rec->vp_stack[vp_at].vp_probe == vp_probe)
      vp_found = vp_at;
  return vp_found;
}

/* Is everything on the stack still there when a probe runs at `vp_probe` in a function with this frame? A
 * false answer means: look closer. Frames between 64 KiB and 8 MiB above are taken as live unseen, for
 * functions with large locals: one that is not is found when its caller ends. */
VPROF_I_HOT int vprof_i_undisturbed(const struct vprof_i_recorder *vp_rec, const char *vp_frame,
                                    const void *vp_probe) {
  const struct vprof_i_entry *vp_top = &vp_rec->vp_stack[vp_rec->vp_depth];
  unsigned long vp_distance = (unsigned long)(vp_top->vp_frame - vp_frame);
  if (VPROF_I_UNLIKELY(vp_distance >= VPROF_I_NEAR))
    return vp_distance < (unsigned long)VPROF_I_FAR;
  return vprof_i_slot_intact(vp_top) && !vprof_i_slot_overwritten(&vp_rec->vp_stack[1], vp_frame) &&
         (vp_distance != 0 || !vprof_i_same_scope(vp_rec, vp_frame, vp_probe));
}

VPROF_I_COLD int vprof_i_stale(const struct vprof_i_entry *vp_entry, const char *vp_frame,
                               const struct vprof_i_signal_stack *vp_signals) {
  long vp_distance = vp_entry->vp_frame - vp_frame;
  if (vprof_i_slot_overwritten(vp_entry, vp_frame))
    return 1;
  if (vprof_i_on_signal_stack(vp_signals, vp_entry->vp_frame) !=
      vprof_i_on_signal_stack(vp_signals, vp_frame))
    return !vp_signals->vp_in_use;
  return vp_distance < 0 && vp_distance > -(long)VPROF_I_FAR;
}

/* Ends the entry on top, whose scope was left without its leave probe or ends by the interval's end. Between
 * intervals (a root with an idle function keeps its entries) there is no time to add. */
VPROF_I_HELPER void vprof_i_pop(struct vprof_i_recorder *vp_rec, unsigned long vp_now) {
  struct vprof_i_entry *vp_entry = &vp_rec->vp_stack[vp_rec->vp_depth];
  if (vp_rec->vp_open)
    vprof_i_add_call(vp_rec, vp_entry->vp_node, vp_now - vp_entry->vp_start);
  vp_entry->vp_token = 0;
  vp_rec->vp_depth--;
}

/* Ends the entries that share the frame of the one on top, but for the lowest: the function whose frame it
 * is. Their scopes may turn out to be alive after all (see above), which is then no tear. */
VPROF_I_COLD void vprof_i_pop_inlined(struct vprof_i_recorder *vp_rec, unsigned long vp_now) {
  const struct vprof_i_entry *vp_stack = vp_rec->vp_stack;
  vp_rec->vp_excused_last = vp_stack[vp_rec->vp_depth].vp_token;
  while (vp_rec->vp_depth > 1 &&
         vp_stack[vp_rec->vp_depth - 1].vp_frame == vp_stack[vp_rec->vp_depth].vp_frame) {
    vp_rec->vp_excused_first = vp_stack[vp_rec->vp_depth].vp_token;
    vprof_i_pop(vp_rec, vp_now);
  }
}

/* Takes away what was jumped over. Returns 1 if the root's own entry is stale: it stays, for the caller to
 * end the interval. */
VPROF_I_COLD int vprof_i_settle(struct vprof_i_recorder *vp_rec, const char *vp_frame, const void *vp_probe,
                                unsigned long vp_now) {
  struct vprof_i_signal_stack vp_signals;
  unsigned int vp_before = vp_rec->vp_depth;
  unsigned int vp_again;
  int vp_root_stale;
  vprof_i_find_signal_stack(&vp_signals);
  vp_root_stale = vp_before != 0 && vprof_i_stale(&vp_rec->vp_stack[1], vp_frame, &vp_signals);
  while (vp_rec->vp_depth > 1 &&
         (vp_root_stale || vprof_i_stale(&vp_rec->vp_stack[vp_rec->vp_depth], vp_frame, &vp_signals)))
    vprof_i_pop(vp_rec, vp_now);
  vp_again = vprof_i_same_scope(vp_rec, vp_frame, vp_probe);
  while (vp_again > 1 && vp_rec->vp_depth >= vp_again)
    vprof_i_pop(vp_rec, vp_now);
  if (!vp_again && vp_rec->vp_depth < vp_before)
    vprof_i_pop_inlined(vp_rec, vp_now);
  if (vp_again != 1)
    return vp_root_stale;
  while (vp_rec->vp_depth > 1)
    vprof_i_pop(vp_rec, vp_now);
  return 1;
}

/* Pushes a scope and returns its token, 0 if there is no room for it. Its start is to be set by the caller,
 * last. */
VPROF_I_HOT unsigned long vprof_i_push(struct vprof_i_recorder *vp_rec, unsigned int vp_node, void *vp_ret,
                                       char *vp_frame, void *vp_probe) {
  unsigned long vp_depth = vp_rec->vp_depth + 1ul;
  struct vprof_i_entry *vp_entry;
  if (VPROF_I_UNLIKELY(vp_depth >= vp_rec->vp_stack_array.vp_ready) &&
      !vprof_i_grow(&vp_rec->vp_stack_array, vp_depth)) {
    vprof_i_drop(VPROF_DROP_DEPTH);
    return 0;
  }
  vp_entry = &vp_rec->vp_stack[vp_depth];
  vp_entry->vp_token = vp_rec->vp_pushes++ << VPROF_I_DEPTH_BITS | vp_depth;
  vp_entry->vp_frame = vp_frame;
  vp_entry->vp_ret = vp_ret;
  vp_entry->vp_probe = vp_probe;
  vp_entry->vp_node = vp_node;
  vp_entry->vp_slot = (void **)vp_frame;
  vp_entry->vp_caller = vp_entry->vp_slot[0];
  if (VPROF_I_UNLIKELY(!vprof_i_slot_intact(vp_entry)))
    vp_entry->vp_slot = &vp_entry->vp_caller; /* a copy of itself is always intact */
  vp_rec->vp_depth = (unsigned int)vp_depth;
  return vp_entry->vp_token;
}

/* Ends the scope of `vp_token` when its entry is not simply on top: ends what lies above it too, or does
 * nothing but note the tear if the entry has been taken away. */
VPROF_I_COLD void vprof_i_leave_below(struct vprof_i_recorder *vp_rec, unsigned long vp_token,
                                      unsigned long vp_now) {
  unsigned long vp_depth = vp_token & VPROF_I_DEPTH_MASK;
  if (vp_depth > vp_rec->vp_depth || vp_rec->vp_stack[vp_depth].vp_token != vp_token) {
    vp_rec->vp_torn |= vp_rec->vp_open && vp_token >= vp_rec->vp_first_token &&
                       (vp_token < vp_rec->vp_excused_first || vp_token > vp_rec->vp_excused_last);
    return;
  }
  while (vp_rec->vp_depth >= vp_depth)
    vprof_i_pop(vp_rec, vp_now);
}

/* A jump has landed in the scope of `vp_token`: ends everything above it, if its entry is there. */
VPROF_I_COLD void vprof_i_leave_above(struct vprof_i_recorder *vp_rec, unsigned long vp_token,
                                      unsigned long vp_now) {
  unsigned long vp_depth = vp_token & VPROF_I_DEPTH_MASK;
  if (!vp_depth || vp_depth > vp_rec->vp_depth || vp_rec->vp_stack[vp_depth].vp_token != vp_token)
    return;
  while (vp_rec->vp_depth > vp_depth)
    vprof_i_pop(vp_rec, vp_now);
}

VPROF_I_HOT void vprof_i_leave_scope(struct vprof_i_recorder *vp_rec, unsigned long vp_token,
                                     unsigned long vp_now) {
  struct vprof_i_entry *vp_entry = &vp_rec->vp_stack[vp_rec->vp_depth];
  if (VPROF_I_UNLIKELY(vp_entry->vp_token != vp_token || !vp_rec->vp_open)) {
    vprof_i_leave_below(vp_rec, vp_token, vp_now);
    return;
  }
  vprof_i_add_call(vp_rec, vp_entry->vp_node, vp_now - vp_entry->vp_start);
  vp_rec->vp_depth--;
}

/* Enters a scope below the one on top. Reads the clock last, so that the probe's own work falls to the
 * caller. */
VPROF_I_HOT unsigned long vprof_i_enter_scope(struct vprof_i_recorder *vp_rec, unsigned int vp_id,
                                              void *vp_ret, char *vp_frame, void *vp_probe) {
  unsigned int vp_node =
      vprof_i_child(vp_rec, vp_rec->vp_stack[vp_rec->vp_depth].vp_node, vp_id, vp_ret, vp_probe);
  unsigned long vp_token = vp_node ? vprof_i_push(vp_rec, vp_node, vp_ret, vp_frame, vp_probe) : 0;
  if (VPROF_I_LIKELY(vp_token != 0))
    vp_rec->vp_stack[vp_rec->vp_depth].vp_start = vprof_i_ticks();
  return vp_token;
}

/* ---- one probe at a time per thread ----
 *
 * While a probe works, `busy` points to its claim, a word on its stack that holds its own address in a
 * disguise. Finding `busy` set, another probe of the thread either runs in a signal handler that interrupted
 * the first, and must be skipped; or the first one was left by siglongjmp out of such a handler, and what it
 * left behind, whole but perhaps half a step on, is taken over. The interrupted one is alive if its claim
 * lies higher on the stack than ours (or on another stack) and is still in place.
 */
#define VPROF_I_CLAIM_OF(vp_claim) ((unsigned long)(vp_claim) ^ 0x9e3779b97f4a7c15ul)

/* Reads a claim that may not be mapped any more: the kernel copies the signal set first, and only then
 * rejects the request. */
VPROF_I_COLD int vprof_i_claim_stands(const volatile unsigned long *vp_claim) {
  long vp_result = vprof_i_syscall(VPROF_I_SYS_SIGPROCMASK, ~0ul, (unsigned long)vp_claim, 0, 8, 0, 0);
  return vp_result == -VPROF_I_EINVAL && *vp_claim == VPROF_I_CLAIM_OF(vp_claim);
}

VPROF_I_COLD int vprof_i_take_over(struct vprof_i_recorder *vp_rec, volatile unsigned long *vp_claim) {
  struct vprof_i_signal_stack vp_signals;
  const volatile unsigned long *vp_busy = vp_rec->vp_busy;
  long vp_height = (const volatile char *)vp_claim - (const volatile char *)vp_busy;
  vprof_i_find_signal_stack(&vp_signals);
  if ((vp_signals.vp_in_use || vp_height < 0 || vp_height >= (long)VPROF_I_FAR) &&
      vprof_i_claim_stands(vp_busy)) {
    vprof_i_drop(VPROF_DROP_REENTRY);
    return 0;
  }
  vp_rec->vp_torn = 1;
  return 1;
}

/* Claims the recorder for a probe; 0: skip it. The fences keep the order claim, busy, work as handlers see
 * it. */
VPROF_I_HOT int vprof_i_begin_probe(struct vprof_i_recorder *vp_rec, volatile unsigned long *vp_claim) {
  if (VPROF_I_UNLIKELY(vp_rec->vp_busy != 0) && !vprof_i_take_over(vp_rec, vp_claim))
    return 0;
  *vp_claim = VPROF_I_CLAIM_OF(vp_claim);
  VPROF_I_SIGNAL_FENCE();
  vp_rec->vp_busy = vp_claim;
  VPROF_I_SIGNAL_FENCE();
  return 1;
}

VPROF_I_HOT void vprof_i_end_probe(struct vprof_i_recorder *vp_rec) {
  VPROF_I_SIGNAL_FENCE();
  vp_rec->vp_busy = 0;
}

#endif
