#!/usr/bin/env bash
# Checks the format of all C and C++ files, the syntax of the shell scripts and, given a configured build directory,
# what clang-tidy says about the parts that are plain C++. Files that passed are not looked at by clang-tidy again until
# they change.
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

# one_command_each COMPILE_COMMANDS: the same database with one entry a file. The core is compiled into the runtime and
# into the tools, and clang-tidy would look at it twice.
one_command_each() {
  awk '
    /^\{/ { entry = ""; file = "" }
    { gsub(/ -Winvalid-pch -include [^ ]*cmake_pch\.hxx/, "") }
    { gsub(/ -ffixed-r[a-z0-9]+| -fno-tree-loop-distribute-patterns/, "") }  # flags of GCC only
    { if ($0 !~ /^[][]$/) entry = entry $0 "\n" }
    /^ *"file":/ { file = $0 }
    /^\}/ { if (!seen[file]++) { sub(/,?\n$/, "", entry); printf "%s%s", (count++ ? ",\n" : "[\n"), entry } }
    END { print (count ? "\n]" : "[]") }
  ' "$1"
}

# tidy_one DATABASE FILE: silent and stamped when there is nothing to say.
tidy_one() {
  local stamp=$1/$2.ok
  if clang-tidy --quiet -p "$1" "$2" 2>"$stamp.err"; then
    rm "$stamp.err"
    touch "$stamp"
  else
    grep -v 'warnings\? generated\.$' "$stamp.err" >&2 || true
    return 1
  fi
}

# A file is looked at again when it, the header of the same name or the set of checks is newer than its stamp.
tidy_todo() {
  local database=$1 file stamp
  for file in src/{explore,explore/*,trace,report,cli}/*.cpp; do
    stamp=$database/$file.ok
    grep -q "\"file\": \".*/$file\"" "$database/compile_commands.json" || continue
    if [[ $file -nt $stamp || ${file%.cpp}.hpp -nt $stamp || .clang-tidy -nt $stamp ]]; then
      mkdir -p "${stamp%/*}"
      printf '%s\n' "$file"
    fi
  done
}

check_tidy() {
  local build=$1 database=$1/lint
  [[ -f $build/compile_commands.json ]] || return 0
  mkdir -p "$database"
  one_command_each "$build/compile_commands.json" >"$database/compile_commands.json"
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
