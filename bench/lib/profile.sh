# shellcheck shell=bash
# The steps around vprof that every server benchmark takes: instrument, build, record, report, restore,
# prove that the tree is as before, compare the number of intervals. Needs common.sh and source_tree.sh.
#
# The caller sets these variables:
#   vprof          the binary, from find_vprof
#   tree           the source tree, where .vprof/ comes to lie
#   tree_unpacked  the list of the files that the package brought
#   tree_sums      the checksums of the pristine source files
# shellcheck disable=SC2154

# find_vprof: print the path of the vprof to use: $VPROF, else the one in PATH, else the release build.
find_vprof() {
  local built=${BASH_SOURCE[0]%/*}/../../build/release/tools/vprof/vprof path
  if path=$(command -v "${VPROF:-vprof}"); then
    realpath "$path"
  elif [[ -z ${VPROF:-} && -x $built ]]; then
    realpath "$built"
  else
    usage_error "no vprof: set VPROF to the binary, or build the preset 'release'"
  fi
}

vprof_in_tree() { (cd "$tree" && "$vprof" "$@"); }

# restore_if_instrumented: registered with at_exit, so that no failure leaves an instrumented tree.
restore_if_instrumented() {
  [[ ${tree_instrumented:-no} == yes && -d $tree/.vprof ]] || return 0
  say "stopped early: restoring the source tree $tree"
  if vprof_in_tree restore && verify_checksums "$tree" "$tree_unpacked" "$tree_sums" >/dev/null; then
    say "the source tree is as before"
  else
    say "the source tree is NOT as before: run 'vprof restore' in $tree, or delete its build folder"
  fi
}

# start_from_pristine: an earlier run may have been killed between instrument and restore.
start_from_pristine() {
  if [[ -d $tree/.vprof ]] && ! vprof_in_tree restore >/dev/null; then
    say "vprof restore failed in $tree; going by the checksums"
  fi
  verify_checksums "$tree" "$tree_unpacked" "$tree_sums" >/dev/null ||
    fail "the source tree differs from the package before anything was done: $tree; delete its build folder"
}

# instrument_tree ARGS...: arguments of `vprof instrument`.
instrument_tree() {
  tree_instrumented=yes
  vprof_in_tree instrument "$@"
}

# restore_tree: put the tree back and prove it.
restore_tree() {
  local files
  vprof_in_tree restore
  files=$(verify_checksums "$tree" "$tree_unpacked" "$tree_sums") ||
    check_failed "restore left differences in $tree (listed above)"
  tree_instrumented=no
  printf 'restored: %s files byte-identical\n' "$files"
}

# record_run RUN-DIR COMMAND...
record_run() {
  local run_dir=$1
  shift
  vprof_in_tree run -o "$run_dir" -- "$@"
}

# report_run RUN-DIR K: the text report for the reader, report.json for the checks.
report_run() {
  vprof_in_tree report "$1" --format json -o "$1/report.json"
  vprof_in_tree report "$1" -k "$2"
}

# check_interval_count REPORT EXPECTED WHAT: within 1 % of what the load counted.
check_interval_count() {
  local report=$1 expected=$2 what=$3 complete incomplete
  complete=$(jq -e '.intervals.complete' "$report") || fail "no intervals.complete in $report"
  incomplete=$(jq -e '.intervals.incomplete' "$report") || fail "no intervals.incomplete in $report"
  printf 'intervals: %s complete, %s incomplete; dropped: %s\n' \
    "$complete" "$incomplete" "$(jq -c '.intervals.dropped // {}' "$report")"
  printf '%s counted by the load: %s\n' "$what" "$expected"
  within_one_percent "$((complete + incomplete))" "$expected" ||
    check_failed "intervals and $what differ by more than 1 %"
}

# within_one_percent MEASURED EXPECTED: print the ratio too.
within_one_percent() {
  awk -v measured="$1" -v expected="$2" 'BEGIN {
    if (expected <= 0) { print "ratio: none, nothing was counted"; exit 1 }
    ratio = measured / expected
    printf "ratio: %.5f\n", ratio
    exit (ratio < 0.99 || ratio > 1.01)
  }'
}
