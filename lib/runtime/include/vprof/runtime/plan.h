/* Who was instrumented and what an interval is: constants in the unit of the root, or, when the runtime is
 * linked as a library, one variable which that unit defines. */
#ifndef VPROF_I_PLAN_H
#define VPROF_I_PLAN_H
#pragma GCC system_header
#include "base.h"

#ifndef VPROF_I_PLAN
#define VPROF_I_PLAN 0ul
#endif
#ifndef VPROF_I_ROOT_ID
#define VPROF_I_ROOT_ID 0u
#endif
#ifndef VPROF_I_ROOT_MODE
#define VPROF_I_ROOT_MODE 0u
#endif

struct vprof_i_linked {
  unsigned long vp_plan;
  unsigned int vp_root_id;
  unsigned int vp_mode;
};

#ifdef __cplusplus
extern "C" {
#endif
extern const char vprof_i_library[]; /* defined by the library only: a weak reference would not draw it in */
#if defined(VPROF_I_LINKED)
VPROF_I_SHARED const char *vprof_i_library_wanted = vprof_i_library;
VPROF_I_SHARED struct vprof_i_linked vprof_i_linked_plan = {VPROF_I_PLAN, VPROF_I_ROOT_ID, VPROF_I_ROOT_MODE};
#elif defined(VPROF_I_LIBRARY)
__attribute__((__visibility__("default"))) const char vprof_i_library[] = "vprof";
extern struct vprof_i_linked vprof_i_linked_plan VPROF_I_SHARED;
#endif
#ifdef __cplusplus
}
#endif

#if defined(VPROF_I_LIBRARY)
VPROF_I_HELPER unsigned long vprof_i_plan(void) {
  return &vprof_i_linked_plan ? vprof_i_linked_plan.vp_plan : 0;
}
VPROF_I_HELPER unsigned int vprof_i_root_id(void) {
  return &vprof_i_linked_plan ? vprof_i_linked_plan.vp_root_id : 0;
}
VPROF_I_HELPER unsigned int vprof_i_mode(void) {
  return &vprof_i_linked_plan ? vprof_i_linked_plan.vp_mode : 0;
}
#else
VPROF_I_HELPER unsigned long vprof_i_plan(void) {
  return VPROF_I_PLAN;
}
VPROF_I_HELPER unsigned int vprof_i_root_id(void) {
  return VPROF_I_ROOT_ID;
}
VPROF_I_HELPER unsigned int vprof_i_mode(void) {
  return VPROF_I_ROOT_MODE;
}
#endif

#endif
