/* The little string handling that file names, the environment and /proc need, without the host's C
 * library. */
#ifndef VPROF_I_TEXT_H
#define VPROF_I_TEXT_H
#pragma GCC system_header
#include "base.h"

VPROF_I_HELPER unsigned long vprof_i_length_of(const char *vp_text) {
  unsigned long vp_length = 0;
  while (vp_text[vp_length])
    vp_length++;
  return vp_length;
}

/* Appends and returns the new end; the caller has made sure of the room. */
VPROF_I_HELPER char *vprof_i_append(char *vp_end, const char *vp_text) {
  while (*vp_text)
    *vp_end++ = *vp_text++;
  *vp_end = 0;
  return vp_end;
}

VPROF_I_HELPER char *vprof_i_append_number(char *vp_end, unsigned long vp_value, unsigned long vp_base) {
  char vp_digits[24];
  unsigned int vp_count = 0;
  do {
    vp_digits[vp_count++] = "0123456789abcdef"[vp_value % vp_base];
    vp_value /= vp_base;
  } while (vp_value);
  while (vp_count)
    *vp_end++ = vp_digits[--vp_count];
  *vp_end = 0;
  return vp_end;
}

/* Value of a digit, 99 if it is none. */
VPROF_I_HELPER unsigned int vprof_i_digit(char vp_char) {
  if (vp_char >= '0' && vp_char <= '9')
    return (unsigned int)(vp_char - '0');
  if (vp_char >= 'a' && vp_char <= 'f')
    return (unsigned int)(vp_char - 'a') + 10u;
  return 99u;
}

/* Reads digits from *vp_text on and moves it past them. Saturates at ~0. */
VPROF_I_HELPER unsigned long vprof_i_parse_number(const char **vp_text, unsigned long vp_base) {
  unsigned long vp_value = 0;
  while (vprof_i_digit(**vp_text) < vp_base) {
    unsigned long vp_digit = vprof_i_digit(*(*vp_text)++);
    vp_value = vp_value > (~0ul - vp_digit) / vp_base ? ~0ul : vp_value * vp_base + vp_digit;
  }
  return vp_value;
}

VPROF_I_HELPER void vprof_i_zero(void *vp_start, unsigned long vp_size) {
  volatile char *vp_byte =
      (volatile char *)vp_start; /* volatile: no call of a memset the host may have replaced */
  while (vp_size--)
    *vp_byte++ = 0;
}

#endif
