#!/bin/bash
# Writes docs/coverage-studies.md and docs/coverage/: the studies of the paper on synchronization coverage, with the
# programs of bench/coverage/subjects, which ./test builds. Takes about ten minutes on two cores that have nothing else to do;
# otherwise noise comes to fewer runs, and the page says how much of the machine others used.
#
#   bench/coverage/studies.sh [quick OUTPUT PROGRAM...]     with `quick`, a few runs of these programs only
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${NORN_BIN:-$root/build/release/bin}

if [ "${1:-}" = quick ]; then
  shift
  exec "$bin/norn_coverage_studies" --quick "$bin/norn" "$@"
fi
# rare_pair has a bug, which ends every technique when it finds it.
subjects=(array_list1 array_list2 hash_set1 hash_set2 hash_table1 hash_table2 linked_list1 linked_list2 tree_set1 tree_set2
  object_cache object_pool virtual_file_system boost_signals2 spdlog_sinks)
exec "$bin/norn_coverage_studies" "$bin/norn" "$root/docs" "${subjects[@]/#/$root/build/release/tests/coverage/subjects/}"
