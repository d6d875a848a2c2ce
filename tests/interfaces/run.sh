#!/usr/bin/env bash
# Runs norn with several strategies and gives what it writes, and all approved files, to validators.
#
#   tests/interfaces/run.sh SOURCE BUILD
set -euo pipefail

source=$1 build=$2
here=$source/tests/interfaces work=$build/interface-tests
export NORN_CACHE=$build/program-cache
unset GITHUB_ACTIONS

name=interfaces
# shellcheck source=tests/support/npm.sh
source "$source/tests/support/npm.sh"

require_tools node npm xmllint
rm -rf "$work/files"
mkdir -p "$work/files"
npm_packages "$here" "$work"

# check REPORT EXIT_CODE PROGRAM [OPTION...]
check() {
  local file=$work/files/$1 expected=$2 code=0
  shift 2
  "$build/bin/norn" check "$@" --quiet --trace-dir "$work/traces" --json "$file.summary.json" \
    --sarif "$file.sarif.json" --junit "$file.junit.xml" || code=$?
  ((code == expected)) || die "norn check $* ended with $code instead of $expected"
}

cd "$source"
check deadlock 1 examples/bank_transfer.cpp
check race 1 examples/hit_counter.cpp
check several 1 tests/command/programs/several_bugs.c --keep-going
check pass 0 examples/parallel_sum.cpp
check reported 0 tests/programs/relaxed_publication.cpp --races report
check stopped 3 examples/bounded_queue.cpp --max-executions 5
for strategy in exhaustive random pct; do
  check "$strategy" 3 examples/bounded_queue.cpp --strategy "$strategy" --max-executions 20
done
check reachability 0 examples/papers/figure_1.cpp --strategy reachability
check coverage 3 examples/bounded_queue.cpp --strategy coverage --max-executions 20
check noise 3 examples/parallel_sum.cpp --strategy noise --noise yield --max-executions 3
# Whatever a program is called, and whatever it prints.
hostile="$work/files/a&b <c> \"d\" 'e' $(printf '\001\033[2J').cpp"
cp tests/html/hostile.cpp "$hostile"
check hostile 1 "$hostile"

# It is about Norn, not about the program.
self_check() {
  local file=$work/files/$1 expected=$2 code=0
  shift 2
  "$build/bin/norn" check "$@" --self-check --quiet --json "$file.summary.json" || code=$?
  ((code == expected)) || die "norn check $* --self-check ended with $code instead of $expected"
}
self_check self_check_passed 0 examples/parallel_sum.cpp
self_check self_check_failed 3 examples/parallel_sum.cpp --max-executions 1

for file in "$work"/files/*.xml tests/unit/report/approved/junit/*.xml; do
  xmllint --noout --schema "$here/junit.xsd" "$file" 2>"$work/xmllint.log" || die "$(tail -n 5 "$work/xmllint.log")"
done

NORN_INTERFACE_TESTS=$work NORN_SOURCE=$source exec node "$here/schema_test.mjs"
