#!/usr/bin/env bash
# Checks the format of all C and C++ files, the syntax of the shell scripts and, given a configured build directory,
# what clang-tidy says about the parts that are plain C++. What passed is not looked at by clang-tidy again until it
# changes.
#
#   scripts/lint.sh [BUILD]    check
#   scripts/lint.sh --fix      format all files in place
set -euo pipefail

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
cd "$root"

# Files of the checkout that match the patterns: tracked or not yet added, never ignored.
files() {
  if ! git ls-files --cached --others --exclude-standard -- "$@" 2>/dev/null; then
    local pattern names=()
    for pattern in "$@"; do
      names+=(-o -name "${pattern##*/}")
    done
    find . -path ./build -prune -o -type f '(' "${names[@]:1}" ')' -print
  fi | sort -u | while IFS= read -r file; do
    if [[ -f $file ]]; then printf '%s\n' "$file"; fi
  done
}

check_shell() {
  local script failed=0
  for script in norn test .ci/run scripts/*.sh; do
    bash -n "$script" || failed=1
  done
  if command -v shellcheck >/dev/null; then
    shellcheck --external-sources norn test .ci/run scripts/*.sh || failed=1
  fi
  return "$failed"
}

check_format() {
  local found
  if ! found=$(files '*.cpp' '*.hpp' '*.c' '*.h' | xargs --no-run-if-empty clang-format --dry-run -Werror 2>&1); then
    grep -E '(error|warning): ' <<<"$found" | head -n 40 >&2
    echo "lint: format the files above with scripts/lint.sh --fix" >&2
    return 1
  fi
}

# What clang-tidy looks at: the sources of the tools, which contain the core, as they are compiled, several at a time:
# most of its time goes into the headers of libraries, which it then reads once.
tidy_database() {
  awk '
    /^\{/ { entry = ""; wanted = 0 }
    { gsub(/ -Winvalid-pch -include [^ ]*cmake_pch\.hxx/, "") }
    { if ($0 !~ /^[][]$/) entry = entry $0 "\n" }
    /^ *"file":.*\/norn_tools\.dir\/Unity\// { wanted = 1 }
    /^\}/ { if (wanted) { sub(/,?\n$/, "", entry); printf "%s%s", (count++ ? ",\n" : "[\n"), entry } }
    END { print (count ? "\n]" : "[]") }
  ' "$1"
}

# tidy_one DATABASE FILE: silent and stamped when there is nothing to say.
tidy_one() {
  local stamp=$1/${2##*/}.ok
  if clang-tidy --quiet -p "$1" --header-filter '/(src|include)/.*' "$2" 2>"$stamp.err"; then
    rm "$stamp.err"
    touch "$stamp"
  else
    grep -v 'warnings\? generated\.$' "$stamp.err" >&2 || true
    return 1
  fi
}

# Sources that are compiled together are looked at again when one of them, the header of the same name or the set of
# checks is newer than their stamp.
tidy_todo() {
  local database=$1 unit source stamp
  sed -n 's/^ *"file": "\(.*\)",\?$/\1/p' "$database/compile_commands.json" | while IFS= read -r unit; do
    stamp=$database/${unit##*/}.ok
    sed -n 's/^#include "\(.*\)"$/\1/p' "$unit" | while IFS= read -r source; do
      if [[ $source -nt $stamp || ${source%.cpp}.hpp -nt $stamp || $unit -nt $stamp || .clang-tidy -nt $stamp ]]; then
        printf '%s\n' "$unit"
        break
      fi
    done
  done
}

check_tidy() {
  local build=$1 database=$1/lint
  [[ -f $build/compile_commands.json ]] || return 0
  mkdir -p "$database"
  tidy_database "$build/compile_commands.json" >"$database/compile_commands.json"
  grep -q '"file"' "$database/compile_commands.json" || echo "lint: no clang-tidy without NORN_UNITY=ON" >&2
  tidy_todo "$database" |
    xargs --no-run-if-empty --max-args 1 --max-procs "$(nproc)" "$root/scripts/lint.sh" --tidy-one "$database"
}

case ${1:-} in
  --fix)
    files '*.cpp' '*.hpp' '*.c' '*.h' | xargs --no-run-if-empty clang-format -i
    ;;
  --tidy-one)
    tidy_one "$2" "$3"
    ;;
  *)
    check_shell
    check_format
    check_tidy "${1:-build/release}"
    ;;
esac
