#!/bin/bash
# Writes docs/reproduction.md: the numbers of the papers on reachability testing beside Norn's.
#
#   bench/reproduction.sh [quick]      with `quick`, without what takes longer than a second, and to standard output
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
norn=${NORN_BIN:-$root/build/release/bin}/norn
papers=$root/examples/papers
summary=$(mktemp)
traces=$(mktemp -d)
trap 'rm -rf "$summary" "$traces"' EXIT

# field NAME: a number of the summary.
field() { sed -n "s/^ *\"$1\": \([0-9.e+-]*\),*$/\1/p" "$summary"; }

# grouped NUMBER: with commas.
grouped() { sed -E ':again; s/^([0-9]+)([0-9]{3})/\1,\2/; t again' <<< "$1"; }

# explore PROGRAM OPTIONS... -- ARGUMENTS...
explore() {
  local program=$1
  shift
  "$norn" check "$papers/$program.cpp" --keep-going --quiet --json "$summary" --trace-dir "$traces" "$@" > /dev/null 2>&1 || true
}

# row TITLE PUBLISHED PROGRAM [ARGUMENTS...]
row() {
  local title=$1 published=$2 program=$3
  shift 3
  explore "$program" --strategy reachability -- "$@"
  printf '| %s | `%s` | %s | %s | %s | %s | %.2f s | %.0f MB |\n' "$title" "$program${*:+ $*}" "$published" \
    "$(grouped "$(field executions)")" "$(field partial_runs)" "$(field deadlocks)" "$(field seconds)" \
    "$(($(field peak_memory_bytes) / 1000000))"
}

# reduced TITLE PUBLISHED PROGRAM REDUCTION [ARGUMENTS...]
reduced() {
  local title=$1 published=$2 program=$3 reduction=$4
  shift 4
  explore "$program" --strategy reachability --reduce "$reduction" -- "$@"
  printf '| %s | `%s` | `%s` | %s | %s | %s |\n' "$title" "$program" "$reduction" "$published" "$(field executions)" \
    "$(field partial_runs)"
}

# t_way TITLE PUBLISHED_1 PUBLISHED_2 PROGRAM [ARGUMENTS...]
t_way() {
  local title=$1 one=$2 two=$3 program=$4 t seed sum
  shift 4
  local averages=()
  for t in 1 2; do
    sum=0
    for seed in 1 2 3 4 5; do
      explore "$program" --strategy t-way --t $t --seed $seed -- "$@"
      sum=$((sum + $(field executions)))
    done
    averages+=("$((sum / 5)).$((sum % 5 * 2))")
  done
  printf '| %s | %s | %s | %s | %s |\n' "$title" "$one" "${averages[0]}" "$two" "${averages[1]}"
}

# numbers GROUP: the numbers of a group of the summary's race tables, as columns.
numbers() {
  sed -n "/\"race_tables\"/,/^  }/p" "$summary" | sed -n "/\"$1\"/,/}/p" |
    awk -F'[:,]' '/most/ { most = $2 } /least/ { least = $2 } /average/ { average = $2 }
      END { printf "%.3g | %.3g | %.2f", most, least, average }'
}

# race_tables TITLE COLUMNS RACES PROGRAM [ARGUMENTS...]: with what the paper says of both
race_tables() {
  local title=$1 columns=$2 races=$3 program=$4
  shift 4
  explore "$program" --strategy reachability -- "$@"
  printf '| %s | %s | %s | %s | %s |\n' "$title" "$columns" "$(numbers columns)" "$races" "$(numbers races)"
}

tables() {
  cat << 'TEXT'
# The numbers of the papers

Written by `bench/reproduction.sh`. Times and memory are those of one machine with two cores; the papers used one PC of
2005. `partial` are runs that were given up.

## Reachability testing (Lei and Carver 2006, tables and text of section 8)

| program | command | paper | Norn | partial | deadlocks | time | memory |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
TEXT
  row "Figure 1" 4 figure_1
  row "Bounded buffer, select" 144 bounded_buffer_select
  row "Bounded buffer, semaphores" 324 bounded_buffer_semaphore
  row "Bounded buffer, SU monitor" 720 bounded_buffer_monitor_su
  row "Bounded buffer, SC monitor" 12,096 bounded_buffer_monitor_sc
  row "Readers and writers, select" 768 readers_writers_select
  row "Readers and writers, semaphores" 21,744 readers_writers_semaphore
  row "Readers and writers, SU monitor" 13,320 readers_writers_monitor_su
  row "Readers and writers, SC monitor" 61,716 readers_writers_monitor_sc
  row "Philosophers, SU monitor, 3" 30 dining_philosophers_monitor_su 3
  row "Philosophers, SU monitor, 4" 624 dining_philosophers_monitor_su 4
  row "Philosophers, SU monitor, 5" 19,330 dining_philosophers_monitor_su 5
  [ "${1:-}" = quick ] || row "Philosophers, SU monitor, 6" "901,752 (144.5 min)" dining_philosophers_monitor_su 6
  row "Philosophers, semaphores, 9" 511 dining_philosophers_semaphore 9
  row "Distributed mutual exclusion" 4,032 distributed_mutual_exclusion
  row "Spanning tree, complete graph" 25,200 distributed_spanning_tree
  row "Spanning tree, four edges" 30 distributed_spanning_tree 4 0-1 0-2 0-3 2-3
  row "Mutual exclusion by a token" 24 token_mutual_exclusion
  cat << 'TEXT'

All numbers are those of the paper. (The spanning tree and the token are from the second paper.) The token program has a
definition that was chosen so that its number is the published one.

## Reductions

| program | command | `--reduce` | paper | Norn | partial |
| --- | --- | --- | ---: | ---: | ---: |
TEXT
  reduced "Bounded buffer, semaphores" "53 on average" bounded_buffer_semaphore pv
  reduced "Bounded buffer, semaphores" "1 or 3" bounded_buffer_semaphore pv,symmetry
  reduced "Bounded buffer, SU monitor" 20 bounded_buffer_monitor_su symmetry-paper
  reduced "Bounded buffer, SC monitor" 132 bounded_buffer_monitor_sc symmetry-paper
  reduced "Bounded buffer, SC monitor" "" bounded_buffer_monitor_sc symmetry
  reduced "Distributed mutual exclusion" 504 distributed_mutual_exclusion unordered
  cat << 'TEXT'

With `pv` the number depends on the runs that are taken: which V operations are completed before which P operations in the
first of them. 12,096 sequences are 336 up to permutations of the three producers and the three consumers, and 132 if only
the groups count; the paper's are the latter.

## t-way (Lei, Carver, Kacker and Kung 2007, table III), averages of five seeds

| program | paper, t = 1 | Norn | paper, t = 2 | Norn |
| --- | ---: | ---: | ---: | ---: |
TEXT
  t_way "Distributed mutual exclusion (4,032)" 183 1,169 distributed_mutual_exclusion
  t_way "Token (24)" 23 23 token_mutual_exclusion
  t_way "Spanning tree, complete graph (25,200)" 79 2,142 distributed_spanning_tree
  t_way "Spanning tree, four edges (30)" 8 29 distributed_spanning_tree 4 0-1 0-2 0-3 2-3
  cat << 'TEXT'

These depend on the runs that are taken and on which of several equally good rows a table gets. The programs are not those
of the paper, only what it says about them; the token program is the one about which least is said.

## The size of race tables (the same paper, table IV), over all sequences that have one

| program | columns, paper | most | least | average | races of a column, paper | most | least | average |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
TEXT
  race_tables "Distributed mutual exclusion" "12, 1, 1.92" "1, 1" distributed_mutual_exclusion
  race_tables "Token" "4, 1, 1.92" "1, 1" token_mutual_exclusion
  race_tables "Spanning tree, complete graph" "13, 1, 1.75" "1.67, 1" distributed_spanning_tree
  race_tables "Spanning tree, four edges" "4, 1, 1.57" "1.5, 1" distributed_spanning_tree 4 0-1 0-2 0-3 2-3
  cat << 'TEXT'

A column is a receiving event with a race set that is not empty, after old sending events were pruned. The numbers of a
sequence depend on the run that it is derived from, so they are alike, not equal.
TEXT
}

if [ "${1:-}" = quick ]; then
  tables quick
else
  tables > "$root/docs/reproduction.md"
fi
