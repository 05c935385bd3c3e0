/*
 * A thread's recorder: one mapping, reserved without rights (PROT_NONE costs neither memory nor commit charge
 * and is not populated by mlockall), of which the used beginnings of four arrays are made writable as they
 * grow:
 *
 *     recorder | shadow stack | nodes | touched list | hash buckets
 *
 * Only the owning thread touches it. The one thing that can come between is its own signal handlers,
 * therefore `busy`: a probe in a handler that interrupted another probe is skipped (shadow_stack.h).
 */
#ifndef VPROF_I_RECORDER_H
#define VPROF_I_RECORDER_H
#pragma GCC system_header
#include "trace_file.h"

/* A probed scope that is open. 64 bytes: one cache line. */
struct vprof_i_entry {
  unsigned long vp_token; /* number of the push << VPROF_I_DEPTH_BITS | depth */
  unsigned long vp_start;
  char *vp_frame;
  void **vp_slot;  /* where the frame keeps the two words that follow; here, if that is not known */
  void *vp_caller; /* the caller's frame address */
  void *vp_ret;    /* the return address */
  void *vp_probe;
  unsigned int vp_node;
  unsigned int vp_unused;
};

/* A calling context and what it took in the current interval. Number 0 stands above all roots. */
struct vprof_i_node {
  void *vp_ret;
  void *vp_probe;
  unsigned long vp_total; /* ticks and calls in the interval whose epoch is vp_epoch */
  unsigned long vp_calls;
  unsigned long vp_epoch;
  unsigned int vp_parent;
  unsigned int vp_id;
  unsigned int vp_last_child; /* the child entered last, 0: none */
  unsigned int vp_successor;  /* the sibling entered after this one last time */
  unsigned int vp_next;       /* in its hash bucket, 0: end */
  unsigned int vp_unused;
};

/* An array inside the mapping: `ready` elements are writable, it can grow to `most`. */
struct vprof_i_array {
  char *vp_memory;
  unsigned long vp_element;
  unsigned long vp_ready;
  unsigned long vp_most;
};

struct vprof_i_recorder {
  volatile unsigned long *volatile vp_busy; /* claim of the probe that is at work, 0: none */
  struct vprof_i_entry *vp_stack;
  struct vprof_i_node *vp_nodes;
  unsigned int *vp_touched; /* nodes with a value in this interval, in order of their first end */
  unsigned int *vp_buckets;
  unsigned long vp_pushes;
  unsigned long vp_epoch;     /* number of the interval; values of other epochs are old */
  unsigned int vp_depth;      /* entries on the stack; entry 1 is the root's */
  unsigned int vp_touches;    /* length of vp_touched */
  unsigned int vp_node_count; /* numbers 1..count are in use */
  unsigned int vp_bucket_mask;
  unsigned int vp_open;           /* 1 while an interval runs, as vprof_i_armed */
  unsigned int vp_torn;           /* 1: calls did not nest in this interval, it cannot be told */
  unsigned long vp_first_token;   /* tokens of this interval are not smaller */
  unsigned long vp_excused_first; /* tokens of inlined scopes that were ended on suspicion */
  unsigned long vp_excused_last;

  /* interval: invocations of the root so far, see interval.h */
  unsigned long vp_unit_start; /* of the first invocation, 0: none yet */
  unsigned long vp_unit_ticks;
  unsigned long vp_invocations;
  unsigned int vp_unit_open;    /* a unit-begin marker has fired (or none is needed) */
  unsigned int vp_unit_closing; /* a unit-end marker has fired in this invocation */
  unsigned int vp_unit_again;   /* a unit-begin marker has fired after it */
  unsigned int vp_root_id;      /* of a root with an idle function, whose entry outlives intervals */

  /* idle: see idle.h */
  unsigned long vp_idle_token; /* of the idle call that is running, 0: none */
  char *vp_idle_frame;

  /* file: see record.h */
  unsigned long vp_cookie; /* of the process this recorder works for, 0: none yet */
  struct vprof_chunk_header *vp_chunk;
  unsigned long vp_last_start; /* start of the last record in the chunk */
  unsigned int vp_chunks;
  unsigned int vp_chunk_size; /* of the chunk to come */
  unsigned int vp_emitted;    /* nodes 1..emitted are defined in the file */
  unsigned int vp_thread_index;
  unsigned int vp_exit_rounds; /* calls of the thread-exit destructor */
  unsigned int vp_unused;

  struct vprof_i_array vp_stack_array, vp_node_array, vp_touched_array, vp_bucket_array;
  unsigned long vp_size; /* of the whole mapping */
};

/* This thread's recorder. VPROF_I_NO_RECORDER: the thread has none and shall get none. */
__attribute__((__weak__, __visibility__("default"),
               __tls_model__("initial-exec"))) __thread struct vprof_i_recorder *vprof_i_self;
VPROF_TRACE_ASSERT(entry_size, sizeof(struct vprof_i_entry) == 64);
VPROF_TRACE_ASSERT(node_size, sizeof(struct vprof_i_node) == 64);
VPROF_TRACE_ASSERT(recorder_fits, sizeof(struct vprof_i_recorder) <= VPROF_I_PAGE);
#define VPROF_I_NO_RECORDER ((struct vprof_i_recorder *)1)

enum { VPROF_I_MOST_FRAMES = 1 << 20 }; /* and as many nodes; the stack needs 2 more than that at most */

/* Makes element number `vp_wanted` writable; 0 if there can be none. Doubles, so it is seldom needed. */
VPROF_I_COLD int vprof_i_grow(struct vprof_i_array *vp_array, unsigned long vp_wanted) {
  unsigned long vp_ready = vp_array->vp_ready;
  unsigned long vp_bytes;
  if (vp_wanted >= vp_array->vp_most)
    return 0;
  while (vp_ready <= vp_wanted)
    vp_ready = vp_ready * 2 < vp_array->vp_most ? vp_ready * 2 : vp_array->vp_most;
  vp_bytes = (vp_ready * vp_array->vp_element + VPROF_I_PAGE - 1) & ~(VPROF_I_PAGE - 1ul);
  if (vprof_i_syscall(VPROF_I_SYS_MPROTECT, (unsigned long)vp_array->vp_memory, vp_bytes, VPROF_I_PROT_RW, 0,
                      0, 0))
    return 0;
  vp_array->vp_ready = vp_ready;
  return 1;
}

/* Lays out an array of `most` elements at `*place`, the first `ready` writable, and moves `*place` past
 * it. */
VPROF_I_COLD int vprof_i_lay_out(struct vprof_i_array *vp_array, char **vp_place, unsigned long vp_element,
                                 unsigned long vp_ready, unsigned long vp_most) {
  vp_array->vp_memory = *vp_place;
  vp_array->vp_element = vp_element;
  vp_array->vp_ready = vp_ready / 2;
  vp_array->vp_most = vp_most;
  *vp_place += vp_element * vp_most;
  return vprof_i_grow(vp_array, vp_ready - 1);
}

VPROF_I_HELPER unsigned long vprof_i_recorder_size(unsigned long vp_frames) {
  return VPROF_I_PAGE + vp_frames * (sizeof(struct vprof_i_entry) + sizeof(struct vprof_i_node) + 8);
}

/* Reserves the mapping, as large as the address space allows: a sixty-fourth of RLIMIT_AS at most, less if
 * the kernel refuses. Returns 0 if not even a small one can be had. */
VPROF_I_COLD char *vprof_i_reserve(unsigned long *vp_frames) {
  unsigned long vp_limit = vprof_i_soft_limit(VPROF_I_RLIMIT_AS);
  for (*vp_frames = VPROF_I_MOST_FRAMES; *vp_frames >= 1024; *vp_frames /= 2) {
    char *vp_memory;
    if (vprof_i_recorder_size(*vp_frames) > vp_limit / 64)
      continue;
    vp_memory = (char *)vprof_i_mmap(vprof_i_recorder_size(*vp_frames), VPROF_I_PROT_NONE,
                                     VPROF_I_MAP_RESERVE, -1, 0);
    if (vp_memory)
      return vp_memory;
  }
  return 0;
}

VPROF_I_COLD void vprof_i_destroy_recorder(struct vprof_i_recorder *vp_rec) {
  vprof_i_munmap(vp_rec, vp_rec->vp_size);
}

/* A new recorder with nothing on its stack; 0 if there is no memory. */
VPROF_I_COLD struct vprof_i_recorder *vprof_i_create_recorder(void) {
  unsigned long vp_frames = 0;
  char *vp_memory = vprof_i_reserve(&vp_frames);
  char *vp_place = vp_memory + VPROF_I_PAGE;
  struct vprof_i_recorder *vp_rec = (struct vprof_i_recorder *)vp_memory;
  if (!vp_memory)
    return 0;
  if (vprof_i_syscall(VPROF_I_SYS_MPROTECT, (unsigned long)vp_memory, VPROF_I_PAGE, VPROF_I_PROT_RW, 0, 0,
                      0)) {
    vprof_i_munmap(vp_memory, vprof_i_recorder_size(vp_frames));
    return 0;
  }
  vp_rec->vp_size = vprof_i_recorder_size(vp_frames);
  if (!vprof_i_lay_out(&vp_rec->vp_stack_array, &vp_place, sizeof(struct vprof_i_entry), 64, vp_frames) ||
      !vprof_i_lay_out(&vp_rec->vp_node_array, &vp_place, sizeof(struct vprof_i_node), 64, vp_frames) ||
      !vprof_i_lay_out(&vp_rec->vp_touched_array, &vp_place, sizeof(unsigned int), 1024, vp_frames) ||
      !vprof_i_lay_out(&vp_rec->vp_bucket_array, &vp_place, sizeof(unsigned int), 1024, vp_frames)) {
    vprof_i_destroy_recorder(vp_rec);
    return 0;
  }
  vp_rec->vp_stack = (struct vprof_i_entry *)vp_rec->vp_stack_array.vp_memory;
  vp_rec->vp_nodes = (struct vprof_i_node *)vp_rec->vp_node_array.vp_memory;
  vp_rec->vp_touched = (unsigned int *)vp_rec->vp_touched_array.vp_memory;
  vp_rec->vp_buckets = (unsigned int *)vp_rec->vp_bucket_array.vp_memory;
  vp_rec->vp_bucket_mask = 1023;
  vp_rec->vp_epoch = 1;
  vp_rec->vp_pushes = 1;
  vp_rec->vp_chunk_size = VPROF_I_FIRST_CHUNK;
  return vp_rec;
}

#endif
