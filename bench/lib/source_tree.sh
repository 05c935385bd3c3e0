# shellcheck shell=bash
# A source tree that is instrumented and put back: its checksums, what a build redid. Needs common.sh.

# The source files of a tree: all that the package brought (a list made right after unpacking), and
# what the build generates in C, C++, yacc and lex. vprof's own folder is none of them.
# source_files TREE UNPACKED-LIST
source_files() {
  local tree=$1 unpacked=$2
  (
    cd "$tree" || exit
    {
      cat "$unpacked"
      find . -name .vprof -prune -o -type f \
        -regex '.*\.\(c\|cc\|cpp\|cxx\|h\|hh\|hpp\|ic\|i\|y\|yy\|l\)' -print
    } | sort -u
  )
}

# list_unpacked TREE LIST: every file of a tree nobody has built in yet.
list_unpacked() { (cd "$1" && find . -type f -print | sort) >"$2"; }

# write_checksums TREE UNPACKED-LIST SUMS
write_checksums() {
  source_files "$1" "$2" | (cd "$1" && xargs -d '\n' sha256sum --) >"$3"
}

# verify_checksums TREE UNPACKED-LIST SUMS: every file is byte-identical, none came or went.
verify_checksums() {
  local tree=$1 unpacked=$2 sums=$3 differing strays
  differing=$(cd "$tree" && sha256sum --quiet -c "$sums" 2>&1 | head -20) || true
  strays=$(comm -3 <(source_files "$tree" "$unpacked") <(cut -c67- "$sums" | sort) | head -20)
  if [[ -n $differing || -n $strays ]]; then
    printf '%s\n' "$differing" "$strays" | sed '/^$/d' >&2
    return 1
  fi
  wc -l <"$sums"
}

# units_built_since FILE TREE: how many object files are newer.
units_built_since() { find "$2" -name '*.o' -newer "$1" -printf . | wc -c; }
