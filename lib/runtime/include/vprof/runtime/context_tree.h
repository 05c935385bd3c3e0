/*
 * The calling-context tree of a thread.
 *
 * A node is (parent node, return address of the probed function, address of its probe). The return address
 * tells call sites apart; the probe address tells apart the copies of a function that the compiler inlined
 * into one frame, which share the return address. Both are in hand without any look-up, and become file and
 * line offline.
 *
 * Finding the child to enter has to be as cheap as the call it measures. Programs repeat themselves: the
 * child is most often the one entered last under this parent, or the one that followed it last time, and
 * these two guesses are kept in the nodes. If both fail, a hash table over the whole tree decides, so that a
 * parent with ten thousand children, or a recursion a hundred thousand deep, costs no more than others.
 */
#ifndef VPROF_I_CONTEXT_TREE_H
#define VPROF_I_CONTEXT_TREE_H
#pragma GCC system_header
#include "recorder.h"

VPROF_I_HOT unsigned int vprof_i_bucket(const struct vprof_i_recorder *vp_rec, unsigned int vp_parent,
                                        void *vp_ret, void *vp_probe) {
  unsigned long vp_hash = (unsigned long)vp_ret * 0x9e3779b97f4a7c15ul;
  vp_hash = (vp_hash ^ (unsigned long)vp_probe) * 0xbf58476d1ce4e5b9ul;
  vp_hash = (vp_hash ^ vp_hash >> 29 ^ vp_parent) * 0x94d049bb133111ebul;
  return (unsigned int)(vp_hash >> 40) & vp_rec->vp_bucket_mask;
}

/* Doubles the buckets if they can be, and files all nodes anew. */
VPROF_I_COLD void vprof_i_rehash(struct vprof_i_recorder *vp_rec) {
  unsigned long vp_buckets = (vp_rec->vp_bucket_mask + 1ul) * 2;
  unsigned int vp_at;
  if (!vprof_i_grow(&vp_rec->vp_bucket_array, vp_buckets - 1))
    return;
  for (vp_at = 0; vp_at < vp_buckets; vp_at++)
    vp_rec->vp_buckets[vp_at] = 0;
  vp_rec->vp_bucket_mask = (unsigned int)(vp_buckets - 1);
  for (vp_at = 1; vp_at <= vp_rec->vp_node_count; vp_at++) {
    struct vprof_i_node *vp_node = &vp_rec->vp_nodes[vp_at];
    unsigned int vp_bucket = vprof_i_bucket(vp_rec, vp_node->vp_parent, vp_node->vp_ret, vp_node->vp_probe);
    vp_node->vp_next = vp_rec->vp_buckets[vp_bucket];
    vp_rec->vp_buckets[vp_bucket] = vp_at;
  }
}

/* A new node; 0 if there is no room for one. */
VPROF_I_COLD unsigned int vprof_i_add_node(struct vprof_i_recorder *vp_rec, unsigned int vp_parent,
                                           unsigned int vp_id, void *vp_ret, void *vp_probe) {
  unsigned int vp_number = vp_rec->vp_node_count + 1;
  unsigned int vp_bucket;
  struct vprof_i_node *vp_node;
  if (vp_number >= vp_rec->vp_node_array.vp_ready && !vprof_i_grow(&vp_rec->vp_node_array, vp_number)) {
    vprof_i_drop(VPROF_DROP_MEMORY);
    return 0;
  }
  if (vp_number >= vp_rec->vp_touched_array.vp_ready && !vprof_i_grow(&vp_rec->vp_touched_array, vp_number)) {
    vprof_i_drop(VPROF_DROP_MEMORY);
    return 0;
  }
  if (vp_number > vp_rec->vp_bucket_mask)
    vprof_i_rehash(vp_rec);
  vp_node = &vp_rec->vp_nodes[vp_number];
  vp_node->vp_ret = vp_ret;
  vp_node->vp_probe = vp_probe;
  vp_node->vp_epoch = 0;
  vp_node->vp_parent = vp_parent;
  vp_node->vp_id = vp_id;
  vp_node->vp_last_child = vp_node->vp_successor = 0;
  vp_bucket = vprof_i_bucket(vp_rec, vp_parent, vp_ret, vp_probe);
  vp_node->vp_next = vp_rec->vp_buckets[vp_bucket];
  vp_rec->vp_node_count = vp_number;
  vp_rec->vp_buckets[vp_bucket] = vp_number;
  return vp_number;
}

/* Both guesses were wrong: look up, or add, and remember the outcome as the next guess. */
VPROF_I_COLD unsigned int vprof_i_find_node(struct vprof_i_recorder *vp_rec, unsigned int vp_parent,
                                            unsigned int vp_id, void *vp_ret, void *vp_probe) {
  struct vprof_i_node *vp_nodes = vp_rec->vp_nodes;
  unsigned int vp_number = vp_rec->vp_buckets[vprof_i_bucket(vp_rec, vp_parent, vp_ret, vp_probe)];
  while (vp_number && (vp_nodes[vp_number].vp_parent != vp_parent || vp_nodes[vp_number].vp_ret != vp_ret ||
                       vp_nodes[vp_number].vp_probe != vp_probe))
    vp_number = vp_nodes[vp_number].vp_next;
  if (!vp_number)
    vp_number = vprof_i_add_node(vp_rec, vp_parent, vp_id, vp_ret, vp_probe);
  if (vp_number) {
    vp_nodes[vp_nodes[vp_parent].vp_last_child].vp_successor =
        vp_number; /* of node 0 it is never read as a guess */
    vp_nodes[vp_parent].vp_last_child = vp_number;
  }
  return vp_number;
}

/* The child of `vp_parent` that is entered now; 0 if there is no room for it. Node 0 has no addresses, so it
 * never passes for a match. */
VPROF_I_HOT unsigned int vprof_i_child(struct vprof_i_recorder *vp_rec, unsigned int vp_parent,
                                       unsigned int vp_id, void *vp_ret, void *vp_probe) {
  struct vprof_i_node *vp_nodes = vp_rec->vp_nodes;
  unsigned int vp_number = vp_nodes[vp_parent].vp_last_child;
  if (VPROF_I_LIKELY(vp_nodes[vp_number].vp_ret == vp_ret && vp_nodes[vp_number].vp_probe == vp_probe &&
                     vp_number))
    return vp_number;
  vp_number = vp_number ? vp_nodes[vp_number].vp_successor : 0;
  if (VPROF_I_LIKELY(vp_nodes[vp_number].vp_ret == vp_ret && vp_nodes[vp_number].vp_probe == vp_probe &&
                     vp_number)) {
    vp_nodes[vp_parent].vp_last_child = vp_number;
    return vp_number;
  }
  return vprof_i_find_node(vp_rec, vp_parent, vp_id, vp_ret, vp_probe);
}

/* Adds one call of `vp_elapsed` ticks to the node's value in this interval. */
VPROF_I_HOT void vprof_i_add_call(struct vprof_i_recorder *vp_rec, unsigned int vp_number,
                                  unsigned long vp_elapsed) {
  struct vprof_i_node *vp_node = &vp_rec->vp_nodes[vp_number];
  if (VPROF_I_UNLIKELY(vp_node->vp_epoch != vp_rec->vp_epoch)) {
    vp_node->vp_epoch = vp_rec->vp_epoch;
    vp_node->vp_total = vp_node->vp_calls = 0;
    vp_rec->vp_touched[vp_rec->vp_touches++] = vp_number;
  }
  vp_node->vp_total += vp_elapsed;
  vp_node->vp_calls++;
}

/* Forgets all nodes: a forked child defines its own. */
VPROF_I_COLD void vprof_i_clear_tree(struct vprof_i_recorder *vp_rec) {
  unsigned int vp_at;
  for (vp_at = 0; vp_at <= vp_rec->vp_bucket_mask; vp_at++)
    vp_rec->vp_buckets[vp_at] = 0;
  vp_rec->vp_node_count = 0;
  vp_rec->vp_touches = 0;
  vp_rec->vp_nodes[0].vp_last_child = vp_rec->vp_nodes[0].vp_successor = 0;
}

#endif
