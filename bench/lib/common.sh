# shellcheck shell=bash
# What every benchmark script shares: messages, cleanup, arguments, the cache folder.
#
# Exit codes are those of vprof: 1 a check failed, 2 wrong usage, 3 something else went wrong.

# The server runs as another user than root and has to read what is built here.
umask 022
# Sort orders, decimal points and messages do not depend on who runs this.
export LC_ALL=C

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

usage_error() {
  say "$* (see --help)"
  exit 2
}

check_failed() {
  say "$*"
  exit 1
}

fail() {
  say "$*"
  exit 3
}

# print_usage: the comment at the top of the script is its help.
print_usage() { sed -n '2,/^[^#]/{ s/^#$//p; s/^# //p; }' "$0"; }

# need_value OPTION ARGS-LEFT: an option that takes a value has one.
need_value() { [[ $2 -ge 2 ]] || usage_error "$1 needs a value"; }

# need_positive OPTION VALUE
need_positive() { [[ $2 =~ ^[1-9][0-9]{0,8}$ ]] || usage_error "$1 needs a positive whole number, not '$2'"; }

# at_exit COMMAND...: run it when the script ends, however it ends; last registered, first run.
at_exit() {
  at_exit_commands+=("$(printf '%q ' "$@")")
}

run_at_exit_commands() {
  local code=$? index
  # A second Ctrl-C must not interrupt the cleaning up.
  trap '' INT TERM HUP
  set +e
  for ((index = ${#at_exit_commands[@]} - 1; index >= 0; index--)); do
    eval "${at_exit_commands[index]}"
  done
  exit "$code"
}

at_exit_commands=()
trap run_at_exit_commands EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# cache_dir NAME: where what took long to make is kept. Root's home is closed to the user whom the
# server runs as, so root's default is the system's cache folder.
cache_dir() {
  local home_cache=${XDG_CACHE_HOME:-}
  if [[ -z $home_cache ]]; then
    if [[ $EUID -eq 0 ]]; then home_cache=/var/cache; else home_cache=$HOME/.cache; fi
  fi
  printf '%s/%s\n' "${VPROF_CACHE:-$home_cache/vprof}" "$1"
}

# take_lock FILE WHAT: held until the script and all that it started have ended.
take_lock() {
  local lock
  exec {lock}>"$1"
  flock -n "$lock" || fail "another $2 is at work (it holds $1)"
}

# once STAMP COMMAND...: run the command unless an earlier call finished it.
once() {
  local stamp=$1
  shift
  [[ ! -e $stamp ]] || return 0
  # Not in a condition, so that `set -e` holds inside the command.
  "$@"
  mkdir -p "${stamp%/*}"
  : >"$stamp"
}

# timed LABEL COMMAND...: run it and print how long it took.
timed() {
  local label=$1 start=$EPOCHREALTIME
  shift
  "$@"
  printf '%s: %s s\n' "$label" "$(elapsed_s "$start")"
}

# now_us: microseconds since 1970.
now_us() { printf '%s\n' "${EPOCHREALTIME/./}"; }

# elapsed_s START: seconds since START, a value of EPOCHREALTIME; one decimal.
elapsed_s() { awk -v a="$1" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }'; }

# value_of KEY FILE: the value of the line KEY=VALUE.
value_of() {
  local value
  value=$(sed -n "s/^$1=//p" "$2")
  [[ -n $value ]] || fail "no '$1' in $2"
  printf '%s\n' "$value"
}
