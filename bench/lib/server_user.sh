# shellcheck shell=bash
# Database servers refuse to run as root. Needs common.sh.

# The user whom a server runs as when these scripts run as root.
server_user() { printf '%s\n' "${VPROF_SERVER_USER:-nobody}"; }

# as_server_user COMMAND...: the environment is passed on unchanged.
as_server_user() {
  if [[ $EUID -ne 0 ]]; then
    "$@"
  else
    setpriv --reuid="$(server_user)" --regid="$(id -g "$(server_user)")" --clear-groups -- "$@"
  fi
}

# exec_as_server_user COMMAND...: for a background job, whose $! is then the server itself.
exec_as_server_user() {
  [[ $EUID -eq 0 ]] || exec "$@"
  exec setpriv --reuid="$(server_user)" --regid="$(id -g "$(server_user)")" --clear-groups -- "$@"
}

# give_to_server_user DIR...
give_to_server_user() {
  [[ $EUID -eq 0 ]] || return 0
  chown -R "$(server_user):$(id -g "$(server_user)")" -- "$@"
}

# need_access TEST PATH: the server's user can reach the path; TEST is one of test's: -x, -w, -r.
need_access() {
  as_server_user test "$1" "$2" ||
    fail "user $(as_server_user id -un) cannot use $2 (test $1); choose a folder open to it, see VPROF_CACHE"
}

# open_vprof_dir: inside `vprof run` the server writes its traces into the run's folder.
open_vprof_dir() {
  [[ -n ${VPROF_DIR:-} ]] || return 0
  mkdir -p "$VPROF_DIR"
  give_to_server_user "$VPROF_DIR"
  need_access -w "$VPROF_DIR"
}
