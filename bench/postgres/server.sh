# shellcheck shell=bash
# A PostgreSQL server for one measurement: make its data, start, ask, stop.
# Needs ../lib/common.sh and ../lib/server_user.sh.
#
# The socket lies in a folder of its own below /tmp: a socket's path may have 107 bytes at most.
# shellcheck disable=SC2034 # its variables are read by the scripts that source it

bench_database=bench

# make_cluster PREFIX DATA: a data folder with fixed settings for a small machine.
make_cluster() {
  local prefix=$1 data=$2
  need_access -x "$prefix/bin/postgres"
  mkdir -p "$data"
  give_to_server_user "$data"
  need_access -w "$data"
  as_server_user "$prefix/bin/initdb" -D "$data" -U postgres --auth=trust --encoding=UTF8 --no-locale \
    >/dev/null
  server_settings >>"$data/postgresql.conf"
}

# Durability as in production. No autovacuum: it would come at random in a short run, and its
# transactions would be counted with the load's.
server_settings() {
  cat <<'SETTINGS'
listen_addresses = ''
max_connections = 64
shared_buffers = 256MB
fsync = on
synchronous_commit = on
full_page_writes = on
max_wal_size = 2GB
checkpoint_timeout = 15min
autovacuum = off
jit = off
SETTINGS
}

# start_server PREFIX DATA [NAME=VALUE..]: sets server_pid and server_socket; stopped at exit at the
# latest. The server gets this script's environment, so what `vprof run` sets reaches it.
start_server() {
  local prefix=$1 data=$2 setting arguments=()
  shift 2
  for setting in "$@"; do arguments+=(-c "$setting"); done
  server_prefix=$prefix
  server_log=$data/server.log
  server_socket=$(mktemp -d /tmp/vprof-pg.XXXXXX)
  at_exit rm -rf "$server_socket"
  give_to_server_user "$server_socket"
  need_access -x "$prefix/bin/postgres"
  # In a session of its own: Ctrl-C then reaches this script only, which stops the server in order.
  exec_as_server_user setsid "$prefix/bin/postgres" -D "$data" -k "$server_socket" "${arguments[@]}" \
    >"$server_log" 2>&1 </dev/null &
  server_pid=$!
  at_exit stop_server
  wait_until_ready
}

wait_until_ready() {
  local tries
  for ((tries = 0; tries < 600; tries++)); do
    if "$server_prefix/bin/pg_isready" -q -h "$server_socket"; then return 0; fi
    kill -0 "$server_pid" 2>/dev/null || break
    sleep 0.1
  done
  tail -20 "$server_log" >&2
  fail "the server did not start (its log is above)"
}

# stop_server: fast shutdown, with a checkpoint; immediate after a minute. Harmless when not running.
stop_server() {
  local pid=${server_pid:-} tries code=0
  [[ -n $pid ]] || return 0
  server_pid=
  kill -INT "$pid" 2>/dev/null || say "the server had stopped by itself"
  for ((tries = 0; tries < 600; tries++)); do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  kill -QUIT "$pid" 2>/dev/null || true
  wait "$pid" || code=$?
  if [[ $code -ne 0 ]]; then
    tail -20 "$server_log" >&2
    say "the server ended with code $code (its log is above)"
  fi
  return "$code"
}

# ask DATABASE STATEMENT: sets `answer`. Each question is a connection, a statement and a transaction
# that the server sees besides the load, so they are counted.
control_statements=0
ask() {
  answer=$(run_psql "$1" -A -t -c "$2")
  control_statements=$((control_statements + 1))
}

# run_psql DATABASE ARGS...
run_psql() {
  local database=$1
  shift
  "$server_prefix/bin/psql" -X -q -v ON_ERROR_STOP=1 -h "$server_socket" -U postgres -d "$database" "$@"
}

# need_healthy_server: no backend crashed; the postmaster would have restarted the others silently.
need_healthy_server() {
  if grep -E 'PANIC:|terminating any other active server processes' "$server_log" >&2; then
    fail "a server process crashed (its log's lines are above)"
  fi
}
