#!/usr/bin/env bash
# Makes reports with norn and looks at them with a browser.
#
#   tests/html/run.sh SOURCE BUILD
set -euo pipefail

source=$1 build=$2
here=$source/tests/html work=$build/html-tests
export NORN_CACHE=$build/program-cache

die() {
  printf 'html_report: %s\n' "$*" >&2
  exit 1
}

for tool in node npm chromium; do
  command -v "$tool" >/dev/null ||
    die "$tool is not installed, and this test needs it (on Debian: apt-get install chromium nodejs npm)"
done

# The packages stay in the build directory; they are installed again when their list changes.
mkdir -p "$work/reports"
if ! cmp --silent "$here/package-lock.json" "$work/installed-lock.json"; then
  cp "$here/package.json" "$here/package-lock.json" "$work/"
  (cd "$work" && npm ci --no-audit --no-fund >npm.log 2>&1) ||
    die "npm could not install the packages of tests/html/package.json (no network?); what it said is in $work/npm.log"
  cp "$here/package-lock.json" "$work/installed-lock.json"
fi

# report NAME EXIT_CODE PROGRAM [OPTION...]
report() {
  local name=$1 expected=$2 code=0
  shift 2
  "$build/bin/norn" check "$@" --quiet --trace-dir "$work/traces" --html "$work/reports/$name.html" || code=$?
  ((code == expected)) || die "norn check $* ended with $code instead of $expected"
}

report bank 1 "$source/examples/bank_transfer.cpp"
report pass 0 "$source/examples/parallel_sum.cpp"
report several 1 "$source/tests/command/programs/several_bugs.c" --keep-going
report hostile 1 "$here/hostile.cpp"
report threads 1 "$here/many_threads.cpp"
report long 1 "$here/long_run.cpp" --minimise 0
rm -f "$work/coverage.json"
report covered 3 "$source/bench/coverage/subjects/hash_set2.cpp" --strategy coverage --max-executions 20 \
  --coverage-file "$work/coverage.json"
"$build/bin/norn" show --coverage "$work/coverage.json" --html "$work/reports/coverage.html" >/dev/null
"$build/bin/norn" show --coverage "$here/hostile_coverage.json" --html "$work/reports/hostile_coverage.html" >/dev/null
"$build/bin/norn" show "$work/traces/bank_transfer-1.trace" --html "$work/reports/shown.html" >/dev/null

NORN_HTML_TESTS=$work exec node "$here/report_test.mjs"
