# shellcheck shell=bash
# The workload in which 5 % of the statements fail. pgbench gives a client up at its first SQL error,
# so each client is a psql session that reads generated statements until the time is over.
#
# A round has 200 statements, 10 of which fail, in an order shuffled with the client's own seed. What is
# written is counted while it is written; what failed is counted from what psql reports.
# Needs server.sh.
# shellcheck disable=SC2154 # the server's variables are set there

# How often each kind of step comes in a round; statements and failures of each are in `emit_step`.
errors_round=(
  transfer:20     # 100 statements, 20 commits
  read:51         #  51 statements, 51 commits
  write:20        #  20 statements, 20 commits
  caught:10       #  10 statements, 10 commits: an error caught in PL/pgSQL
  division:2      #   2 statements, all fail, 2 rollbacks
  duplicate:2     #   2 statements, all fail, 2 rollbacks
  no_table:2      #   2 statements, all fail, 2 rollbacks
  failed_block:2  #   8 statements, 2 fail, 2 rollbacks: an error in a block, then ROLLBACK
  aborted_block:1 #   5 statements, 2 fail, 1 rollback: more statements after the error, then COMMIT
)

# random_account: sets `account`. RANDOM has 15 bits.
random_account() { account=$(((RANDOM * 32768 + RANDOM) % accounts + 1)); }

# add_counts STATEMENTS COMMITS ROLLBACKS
add_counts() {
  statements=$((statements + $1))
  commits=$((commits + $2))
  rollbacks=$((rollbacks + $3))
}

# emit_step KIND: one statement a line, each of which psql sends as one message.
emit_step() {
  local account
  random_account
  local update="UPDATE pgbench_accounts SET abalance = abalance + 1 WHERE aid = $account;"
  local select="SELECT abalance FROM pgbench_accounts WHERE aid = $account;"
  local insert="INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (1, 1, $account, 1, now());"
  local divide="SELECT 1 / (aid - aid) FROM pgbench_accounts WHERE aid = $account;"
  case $1 in
    transfer)
      printf '%s\n' 'BEGIN;' "$update" "$select" "$insert" 'COMMIT;'
      add_counts 5 1 0
      ;;
    read) printf '%s\n' "$select" && add_counts 1 1 0 ;;
    write) printf '%s\n' "$update" && add_counts 1 1 0 ;;
    caught) printf '%s\n' "SELECT bench_catch($account);" && add_counts 1 1 0 ;;
    division) emit_failing 22012 "$divide" ;;
    duplicate) emit_failing 23505 'INSERT INTO pgbench_branches (bid) VALUES (1);' ;;
    no_table) emit_failing 42P01 'SELECT * FROM no_such_table;' ;;
    failed_block)
      printf '%s\n' 'BEGIN;' "$update" 'SELECT bench_fail(5);' 'ROLLBACK;'
      fails 22012
      add_counts 4 0 1
      ;;
    aborted_block)
      printf '%s\n' 'BEGIN;' "$update" 'SELECT 1 / 0;' "$select" 'COMMIT;'
      fails 22012
      fails 25P02
      add_counts 5 0 1
      ;;
  esac
}

# emit_failing SQLSTATE STATEMENT: outside a transaction block.
emit_failing() {
  printf '%s\n' "$2"
  fails "$1"
  add_counts 1 0 1
}

# fails SQLSTATE: the step just written has one more failing statement.
fails() { failures[$1]=$((${failures[$1]:-0} + 1)); }

# round_steps: the steps of one round, in template order.
round_steps() {
  local entry n
  for entry in "${errors_round[@]}"; do
    for ((n = 0; n < ${entry#*:}; n++)); do printf '%s\n' "${entry%:*}"; done
  done
}

# shuffle: Fisher and Yates, in place, of the array `steps`.
shuffle() {
  local i j kept
  for ((i = ${#steps[@]} - 1; i > 0; i--)); do
    j=$((RANDOM % (i + 1)))
    kept=${steps[i]}
    steps[i]=${steps[j]}
    steps[j]=$kept
  done
}

# generate_errors SEED SECONDS ACCOUNTS COUNTS-FILE: whole rounds until the time is over.
generate_errors() {
  local seconds=$2 accounts=$3 counts=$4 steps step state
  local statements=0 commits=0 rollbacks=0 deadline
  local -A failures=()
  RANDOM=$1
  deadline=$(($(now_us) + seconds * 1000000))
  mapfile -t steps < <(round_steps)
  while (($(now_us) < deadline)); do
    shuffle
    for step in "${steps[@]}"; do emit_step "$step"; done
  done
  {
    printf '%s=%s\n' statements "$statements" commits "$commits" rollbacks "$rollbacks"
    for state in "${!failures[@]}"; do printf 'failed_%s=%s\n' "$state" "${failures[$state]}"; done
  } >"$counts"
}

# errors_client SEED SECONDS ACCOUNTS DIR: one session; leaves counts.SEED and errors.SEED in DIR.
errors_client() {
  local seed=$1 seconds=$2 accounts=$3 dir=$4
  generate_errors "$seed" "$seconds" "$accounts" "$dir/counts.$seed" |
    "$server_prefix/bin/psql" -X -q -v VERBOSITY=sqlstate -h "$server_socket" -U postgres \
      -d "$bench_database" -f - >/dev/null 2>"$dir/errors.$seed"
}

# run_errors_workload CLIENTS SECONDS ACCOUNTS DIR: all sessions at once; fails if one of them was lost.
run_errors_workload() {
  local clients=$1 seconds=$2 accounts=$3 dir=$4 client pid pids=()
  for ((client = 1; client <= clients; client++)); do
    errors_client "$client" "$seconds" "$accounts" "$dir" &
    pids+=("$!")
  done
  for pid in "${pids[@]}"; do
    wait "$pid" || fail "a psql session ended early: $(grep -hv 'ERROR:' "$dir"/errors.* | head -3)"
  done
}

# sum_of KEY-PATTERN FILES...: the sum over KEY=VALUE lines.
sum_of() {
  local pattern=$1
  shift
  awk -F= -v pattern="^($pattern)\$" '$1 ~ pattern { sum += $2 } END { print sum + 0 }' "$@"
}

# seen_failures DIR: `STATE COUNT` lines, from what the sessions reported.
seen_failures() {
  cat "$1"/errors.* | sed -n 's/.*ERROR:  *\([0-9A-Z]\{5\}\)$/\1/p' | sort | uniq -c | awk '{ print $2, $1 }'
}

# sent_failures DIR: the same, from what was generated.
sent_failures() {
  awk -F'[_=]' '/^failed_/ { n[$2] += $3 } END { for (state in n) print state, n[state] }' \
    "$1"/counts.* | sort
}

# errors_counts DIR: the load's own counts; fails unless exactly the generated failures were seen.
errors_counts() {
  local dir=$1
  diff <(sent_failures "$dir") <(seen_failures "$dir") >&2 ||
    check_failed "failing statements: those sent (<) are not those seen (>)"
  printf '%s=%s\n' \
    statements_load "$(sum_of statements "$dir"/counts.*)" \
    failed "$(sum_of 'failed_.*' "$dir"/counts.*)" \
    transactions_load "$(sum_of 'commits|rollbacks' "$dir"/counts.*)" \
    commits "$(sum_of commits "$dir"/counts.*)" \
    rollbacks "$(sum_of rollbacks "$dir"/counts.*)"
  seen_failures "$dir" | sed 's/^\(.*\) \(.*\)$/failed_\1=\2/'
}
