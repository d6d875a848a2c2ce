#!/usr/bin/env bash
# Makes reports with norn and looks at them with a browser.
#
#   tests/html/run.sh SOURCE BUILD
set -euo pipefail

source=$1 build=$2
here=$source/tests/html work=$build/html-tests
export NORN_CACHE=$build/program-cache

name=html_report
# shellcheck source=tests/support/npm.sh
source "$source/tests/support/npm.sh"

require_tools node npm chromium
mkdir -p "$work/reports"
npm_packages "$here" "$work"

# report NAME EXIT_CODE PROGRAM [OPTION...]
report() {
  local page=$1 expected=$2 code=0
  shift 2
  "$build/bin/norn" check --quiet --trace-dir "$work/traces" --html "$work/reports/$page.html" "$@" || code=$?
  ((code == expected)) || die "norn check $* ended with $code instead of $expected"
}

report bank 1 "$source/examples/bank_transfer.cpp"
report pass 0 "$source/examples/parallel_sum.cpp"
report several 1 "$source/tests/command/programs/several_bugs.c" --keep-going
report minimised 1 "$source/examples/hit_counter.cpp"
report race 1 "$source/tests/programs/vector_push_back.cpp"
report freed 1 "$source/tests/programs/treiber_stack_freed.cpp"
report hostile 1 "$here/hostile.cpp"
report threads 1 "$here/many_threads.cpp"
report idle 1 "$here/idle_thread.cpp"
report long 1 "$here/long_run.cpp" --minimise 0
# From here, files of Norn have relative names.
(cd "$source" && report sequences 0 examples/papers/figure_1.cpp)
report many_sequences 0 "$source/examples/papers/lock_counts.cpp" --strategy reachability -- 4 2
report shared_sequences 0 "$source/examples/papers/figure_1.cpp" --jobs 2
rm -f "$work/coverage.json"
report covered 3 "$source/bench/coverage/subjects/hash_set2.cpp" --strategy coverage --max-executions 20 \
  --coverage-file "$work/coverage.json"
"$build/bin/norn" show --coverage "$work/coverage.json" --html "$work/reports/coverage.html" >/dev/null
"$build/bin/norn" show --coverage "$here/hostile_coverage.json" --html "$work/reports/hostile_coverage.html" >/dev/null
"$build/bin/norn" show "$work/traces/bank_transfer-1.trace" --html "$work/reports/shown.html" >/dev/null

NORN_HTML_TESTS=$work exec node "$here/report_test.mjs"
