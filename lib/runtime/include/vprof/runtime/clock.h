/*
 * The clock. On x86-64 the time stamp counter where CPUID promises that it is invariant (runs at one rate in
 * every power state and is reset together on all cores), on aarch64 the virtual counter, which the
 * architecture promises; otherwise CLOCK_MONOTONIC, as a system call. None of them jumps when somebody sets
 * the time of day.
 *
 * rdtsc is not serialising: the processor may read it a few tens of instructions early or late. That is below
 * the cost of a probe, and a fence would cost more than it tells.
 */
#ifndef VPROF_I_CLOCK_H
#define VPROF_I_CLOCK_H
#pragma GCC system_header
#include "syscall.h"

/* enum vprof_clock_source; 0 until decided. Read by every probe, written once before the first. */
VPROF_I_SHARED unsigned int vprof_i_clock_source;

VPROF_I_HELPER void vprof_i_cpuid(unsigned int vp_leaf, unsigned int *vp_eax, unsigned int *vp_ecx,
                                  unsigned int *vp_edx) {
#if defined(__x86_64__)
  unsigned int vp_ebx;
  __asm__ __volatile__("cpuid"
                       : "=a"(*vp_eax), "=b"(vp_ebx), "=c"(*vp_ecx), "=d"(*vp_edx)
                       : "0"(vp_leaf), "2"(0));
  (void)vp_ebx;
#else
  (void)vp_leaf;
  *vp_eax = *vp_ecx = *vp_edx = 0;
#endif
}

VPROF_I_HELPER unsigned int vprof_i_find_clock(void) {
#if defined(__x86_64__)
  unsigned int vp_eax, vp_ecx, vp_edx;
  vprof_i_cpuid(0x80000000u, &vp_eax, &vp_ecx, &vp_edx);
  if (vp_eax < 0x80000007u)
    return VPROF_CLOCK_MONOTONIC;
  vprof_i_cpuid(0x80000007u, &vp_eax, &vp_ecx, &vp_edx);
  return vp_edx >> 8 & 1u ? VPROF_CLOCK_TSC : VPROF_CLOCK_MONOTONIC;
#else
  return VPROF_CLOCK_CNTVCT;
#endif
}

VPROF_I_HOT unsigned long vprof_i_ticks(void) {
#if defined(__x86_64__)
  if (VPROF_I_LIKELY(vprof_i_clock_source == VPROF_CLOCK_TSC)) {
    unsigned int vp_low, vp_high;
    __asm__ __volatile__("rdtsc" : "=a"(vp_low), "=d"(vp_high));
    return (unsigned long)vp_high << 32 | vp_low;
  }
  return vprof_i_clock_ns(VPROF_I_CLOCK_MONOTONIC);
#else
  unsigned long vp_count;
  __asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(vp_count));
  return vp_count;
#endif
}

/* Reads both clocks as nearly at once as possible: the tightest of a few tries, ticks from its middle. */
VPROF_I_COLD void vprof_i_read_clocks(unsigned long *vp_ticks, unsigned long *vp_monotonic_ns) {
  unsigned long vp_width = ~0ul;
  int vp_try;
  for (vp_try = 0; vp_try < 8; vp_try++) {
    unsigned long vp_before = vprof_i_ticks();
    unsigned long vp_ns = vprof_i_clock_ns(VPROF_I_CLOCK_MONOTONIC);
    unsigned long vp_after = vprof_i_ticks();
    if (vp_after - vp_before < vp_width) {
      vp_width = vp_after - vp_before;
      *vp_ticks = vp_before + vp_width / 2;
      *vp_monotonic_ns = vp_ns;
    }
  }
}

/* Two readings 1 ms apart, the least from which the rate of the ticks can be told; later intervals move the
 * second reading on. Waits actively: a sleep may last much longer. */
VPROF_I_COLD void vprof_i_calibrate_clock(struct vprof_i_family *vp_family) {
  vprof_i_clock_source = vp_family->vp_clock_source = vprof_i_find_clock();
  vp_family->vp_first_realtime_ns = vprof_i_clock_ns(VPROF_I_CLOCK_REALTIME);
  vprof_i_read_clocks(&vp_family->vp_first_ticks, &vp_family->vp_first_monotonic_ns);
  do
    vprof_i_read_clocks(&vp_family->vp_last_ticks, &vp_family->vp_last_monotonic_ns);
  while (vp_family->vp_last_monotonic_ns - vp_family->vp_first_monotonic_ns < 1000000ul);
  vp_family->vp_refresh_ticks = VPROF_I_REFRESH_NS / 1000 *
                                (vp_family->vp_last_ticks - vp_family->vp_first_ticks) /
                                ((vp_family->vp_last_monotonic_ns - vp_family->vp_first_monotonic_ns) / 1000);
}

#endif
