#!/bin/sh
# Compiles the probes and the runtime in every language standard and with the flags of strict hosts; any warning is a
# failure. Usage: compile_matrix.sh INCLUDE_DIR [C_COMPILER..]; compilers that are not installed are left out.
set -u
include=$1
shift
here=$(dirname "$0")
object=$(mktemp -d) || exit 3
trap 'rm -rf "$object"' EXIT
failures=0
count=0

check() { # compiler flags..
  count=$((count + 1))
  if ! "$@" -I "$include" -c "$here/compile_matrix.c" -o "$object/matrix.o" >"$object/log" 2>&1 || [ -s "$object/log" ]; then
    failures=$((failures + 1))
    echo "FAILED: $*"
    head -n 12 "$object/log"
  fi
}

cxx_of() {
  case $1 in
  *clang*) echo "$1" | sed 's/clang/clang++/' ;;
  *) echo "$1" | sed 's/gcc/g++/' ;;
  esac
}

for c in "${@:-gcc}"; do
  command -v "$c" >/dev/null || continue
  cxx=$(cxx_of "$c")
  strict="-Wall -Wextra -Wshadow -Wconversion -Wundef -Wcast-qual -Wold-style-definition -Wstrict-prototypes
          -Wmissing-prototypes -Wredundant-decls -Werror"
  cxx_strict="-Wall -Wextra -Wshadow -Wconversion -Wundef -Wcast-qual -Wold-style-cast -Wzero-as-null-pointer-constant -Werror"
  everything=""
  case $c in
  *clang*)
    everything="-Weverything -Wno-unused-macros -Wno-reserved-macro-identifier -Wno-reserved-id-macro -Wno-keyword-macro
                -Wno-disabled-macro-expansion -Wno-unsafe-buffer-usage -Wno-unknown-warning-option -Wno-switch-default -Wno-used-but-marked-unused
                -Wno-gnu-statement-expression -Wno-gnu-statement-expression-from-macro-expansion"
    ;;
  esac
  for std in c89 gnu89 c99 c11 gnu17 c2x; do
    # shellcheck disable=SC2086
    check "$c" -std=$std -O2 -pedantic-errors $strict
  done
  for std in c++98 c++11 c++14 c++17 c++20 c++2b; do
    # shellcheck disable=SC2086
    check "$cxx" -x c++ -std=$std -O2 -pedantic-errors $cxx_strict
  done
  # shellcheck disable=SC2086
  for flags in "-O0" "-O3" "-Os" "-Og -g3" "-O2 -fPIC -fvisibility=hidden" "-O2 -flto" "-O2 -fPIE -fstack-protector-all" \
    "-O2 -fomit-frame-pointer" "-O2 -fno-plt -fPIC" "-O2 -finstrument-functions" "-O2 -pg" "-O2 -masm=intel" \
    "-O1 -fsanitize=address,undefined" "-O1 -fsanitize=thread" "-O0 --coverage" "-O2 -mno-sse4.2 -march=x86-64-v3" \
    "-O2 -ffreestanding -fno-builtin" "-O2 -fno-common -ffunction-sections" "-O2 -fcf-protection=full" "-m32 -O2" \
    "-O2 -fno-strict-aliasing -fwrapv -Wdeclaration-after-statement"; do
    case $flags in *-m32*) [ "$(uname -m)" = x86_64 ] && ls /usr/lib32/crt1.o >/dev/null 2>&1 || continue ;; esac
    check "$c" -std=gnu17 $flags $strict
    check "$cxx" -x c++ -std=gnu++17 $(echo "$flags" | sed 's/-Wdeclaration-after-statement//') -fno-exceptions -fno-rtti $cxx_strict
  done
  if [ -n "$everything" ]; then
    for target in aarch64-linux-gnu x86_64-linux-gnu riscv64-linux-gnu i686-linux-gnu; do
      # shellcheck disable=SC2086
      check "$c" --target=$target -std=gnu17 -O2 $strict
    done
    # shellcheck disable=SC2086
    check "$c" -std=gnu17 -O1 $everything -Werror
    # shellcheck disable=SC2086
    check "$cxx" -x c++ -std=gnu++20 -O1 $everything -Wno-c++98-compat -Wno-c++98-compat-pedantic -Wno-old-style-cast -Werror
  fi
done
echo "$count compilations, $failures failed"
[ "$failures" -eq 0 ] && [ "$count" -gt 0 ]
