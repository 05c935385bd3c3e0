# shellcheck shell=bash
# The workloads that pgbench drives: tpcb, select, or a script file. Needs server.sh.
# shellcheck disable=SC2154 # the server's variables are set there

# pgbench_script_arguments WORKLOAD: sets `script_arguments` and how many statements pgbench itself
# sends before it starts (for a built-in script it asks for the scale and the partitioning).
pgbench_script_arguments() {
  # shellcheck disable=SC2034 # read by the script that sources this file
  case $1 in
    tpcb) script_arguments=(--builtin=tpcb-like) setup_statements=2 ;;
    select) script_arguments=(--builtin=select-only) setup_statements=2 ;;
    script:*) script_arguments=("--file=${1#script:}") setup_statements=0 ;;
  esac
}

# run_pgbench CLIENTS SECONDS OUTPUT LOG-PREFIX: -n, since prepare vacuumed; -r, since its list of
# commands is how statements are counted. LOG-PREFIX may be empty.
run_pgbench() {
  local clients=$1 seconds=$2 output=$3 log_prefix=$4 arguments=(-n -r -M simple)
  local threads=$((clients < 2 ? clients : 2))
  [[ -z $log_prefix ]] || arguments+=(-l "--log-prefix=$log_prefix")
  # In the background, as a foreground command would hold back the traps until it ends.
  "$server_prefix/bin/pgbench" "${arguments[@]}" -c "$clients" -j "$threads" -T "$seconds" \
    "${script_arguments[@]}" -h "$server_socket" -U postgres "$bench_database" >"$output" 2>"$output.stderr" &
  wait "$!" || fail "pgbench failed: $(tail -3 "$output.stderr")"
  # A client that is given up at an error does not always make pgbench fail.
  ! grep -E 'aborted|error:' "$output.stderr" >&2 || fail "pgbench lost a client (see above)"
}

# statements_per_transaction OUTPUT: the SQL commands in pgbench's per-command list; the lines of meta
# commands begin with a backslash after the two numbers.
statements_per_transaction() {
  awk '/^statement latencies/ { list = 1; next } list && $3 !~ /^\\/ { n++ } END { print n + 0 }' "$1"
}

# pgbench_counts OUTPUT: the load's own counts. No count of commits for script files: a transaction of
# pgbench's may be any number of the server's there.
pgbench_counts() {
  local output=$1 transactions
  transactions=$(sed -n 's/^number of transactions actually processed: \([0-9]*\).*/\1/p' "$output")
  printf '%s=%s\n' \
    statements_load "$((transactions * $(statements_per_transaction "$output")))" \
    failed "$(sed -n 's/^number of failed transactions: \([0-9]*\).*/\1/p' "$output")" \
    transactions_load "$transactions" \
    tps "$(sed -n 's/^tps = \([0-9.]*\).*/\1/p' "$output")"
  if [[ $workload != script:* ]]; then
    printf '%s=%s\n' commits "$transactions" rollbacks 0
  fi
}
